// Writes a site with hostile text in every field into the named folder. The browser test opens it.
#include <tools/site/site_content.h>

#include <fstream>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (const auto& file : torchbook::site::site_files(torchbook::test::hostile_content())) {
    std::ofstream out(std::string(argv[1]) + "/" + file.name, std::ios::binary);
    if (!(out << file.text)) return 2;
  }
  return 0;
}
