#include "view/hues.h"

namespace tilewalk {

unsigned hue_of(TensorId id) {
  switch (id) {
    case TensorId::Q: return 0x56b4e9;
    case TensorId::K: return 0xe69f00;
    case TensorId::V: return 0x2fc79a;
    case TensorId::O: return 0xd58bb5;
    case TensorId::S: return 0x7d8aa8;
    case TensorId::P: return 0xa9b4cc;
    case TensorId::m:
    case TensorId::l:
    case TensorId::L: return 0xf0e442;
    case TensorId::OPartial: return 0xb87299;
    case TensorId::LPartial: return 0xc9bf3a;
    case TensorId::D: return 0xc7d36b;
    case TensorId::dO: return 0xe7b9d3;
    case TensorId::dQ: return 0x8fcdf2;
    case TensorId::dK: return 0xf2c14e;
    case TensorId::dV: return 0x7fe0c2;
    case TensorId::dP: return 0x8f9bb8;
    case TensorId::dS: return 0x6f86c0;
  }
  return 0x808080;
}

}  // namespace tilewalk
