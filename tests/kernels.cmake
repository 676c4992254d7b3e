# What these compute depends on the kernels that LibTorch and OpenBLAS choose for the processor. .ci/kernels runs them with
# the kernels of other processors. Others take long, and compute nothing that these do not: faults_in_twins; documentation,
# which shows what the tests of the notebooks, of the suite and of recordings compare; and part_planted, which compares two
# traces of the same kernels, but for test_kernels, which chooses them itself.
set_tests_properties(
  faults_in_traced_twins faults_test first_steps notebook_test notebooks_test part_languages porting_guide recordings
  regression_suite regression_suite_bits rng_test state_dict trace_languages translated_guide translated_network
  translated_objects translated_plain translated_random
  PROPERTIES LABELS kernels)

file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
string(REGEX MATCH "avx2" avx2 "${flags}")  # LibTorch takes it from a processor that has none, and dies
foreach(capability IN ITEMS default ${avx2})  # rng_test itself takes the best that the processor has
  add_test(NAME rng_test.${capability} COMMAND rng_test --gtest_brief=1 --gtest_filter=Values*)
  set_tests_properties(rng_test.${capability} PROPERTIES ENVIRONMENT "ATEN_CPU_CAPABILITY=${capability}")
endforeach()

if(avx2 AND Torch_VERSION MATCHES "^1\\.13\\.")  # that of the recordings
  torchbook_add_cases(cli/causes)
else()
  message(WARNING "What explains other bits is NOT TESTED: the recordings were made with AVX2 and LibTorch 1.13.")
endif()
