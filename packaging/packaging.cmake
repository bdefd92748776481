# What is installed and packed: the program, its manual page and completions (which it prints itself), the
# documentation, and the files that editors and CI take from integrations/.
include(GNUInstallDirs)

set(generated ${PROJECT_BINARY_DIR}/generated)
file(MAKE_DIRECTORY ${generated})
add_custom_command(
  OUTPUT ${generated}/recipelint.1 ${generated}/recipelint.bash ${generated}/_recipelint
         ${generated}/recipelint.fish
  COMMAND recipelint man > ${generated}/recipelint.1
  COMMAND recipelint completions bash > ${generated}/recipelint.bash
  COMMAND recipelint completions zsh > ${generated}/_recipelint
  COMMAND recipelint completions fish > ${generated}/recipelint.fish
  DEPENDS recipelint VERBATIM)
add_custom_target(recipelint_pages ALL DEPENDS ${generated}/recipelint.1)

install(TARGETS recipelint RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${generated}/recipelint.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${generated}/recipelint.bash RENAME recipelint
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${generated}/_recipelint DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${generated}/recipelint.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES packaging/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY integrations DESTINATION ${CMAKE_INSTALL_DATADIR}/recipelint)

# cpack in the build folder, or ./dev package: a Debian package, and a tarball to unpack anywhere.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME recipelint)
set(CPACK_PACKAGE_VENDOR recipelint)
set(CPACK_PACKAGE_CONTACT "recipelint maintainers <recipelint@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION
  "Works out what every run of a benchmark would launch, from bash launch scripts and a YAML search space, \
and judges that with the semantics of the engine version in use.")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_FILE_NAME "recipelint-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
include(CPack)
