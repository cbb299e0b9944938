# CPack runs this between installing and packing: where Debian wants another name, or a file packed.
set(usr ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
file(MAKE_DIRECTORY ${usr}/share/zsh/vendor-completions)
file(RENAME ${usr}/share/zsh/site-functions/_tilewalk ${usr}/share/zsh/vendor-completions/_tilewalk)
file(REMOVE_RECURSE ${usr}/share/zsh/site-functions)
file(COPY_FILE ${CPACK_TILEWALK_CHANGELOG} ${usr}/share/doc/tilewalk/changelog.Debian)
foreach(text share/man/man1/tilewalk.1 share/doc/tilewalk/changelog.Debian)
  execute_process(COMMAND gzip -9nf ${usr}/${text} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
