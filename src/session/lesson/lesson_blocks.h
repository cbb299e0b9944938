// The blocks of a lesson's screen: its scene, its picture and its task. assets/lessons/README.md documents their keys.
// Internal to session/lesson.
#pragma once

#include "session/lesson/block_reader.h"
#include "session/lesson/lesson.h"

namespace tilewalk {

LessonScene read_scene(BlockReader&);
LessonPicture read_picture(BlockReader&, int line);
TripStep read_trip(BlockReader&);  // of an option of an order task
LessonTask read_task(BlockReader&, TaskKind, int line, const std::string& file, Issues&);

}  // namespace tilewalk
