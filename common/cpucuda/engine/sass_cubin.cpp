/* Reads the kernels of a cubin: an ELF file with a section of code for each. */
#include "sass.h"

#include <elf.h>
#include <map>
#include <stdio.h>
#include <string.h>

namespace cpucuda {

std::vector<char> whole_file(const char *path) {
    std::vector<char> bytes;
    FILE *file = fopen(path, "rb");
    char piece[65536];
    size_t got;

    if (!file)
        fail("internal", "the machine code %s cannot be read", path);
    while ((got = fread(piece, 1, sizeof piece, file)) > 0)
        bytes.insert(bytes.end(), piece, piece + got);
    fclose(file);
    return bytes;
}

/* Attributes of .nv.info: a form, a name, then two bytes of value or of size. */
enum { WITH_SIZE = 4, REGISTERS = 0x2f, PARAMETERS = 0x0a };

template <class F> static void each_attribute(const char *at, size_t bytes, F found) {
    size_t i = 0;

    while (i + 4 <= bytes) {
        uint16_t size;

        memcpy(&size, at + i + 2, 2);
        if (at[i] != WITH_SIZE)
            size = 0;
        if (i + 4 + size > bytes)
            return;
        found((unsigned char)at[i + 1], at + i + 4, size);
        i += 4 + size;
    }
}

sass_program read_cubin(const char *path) {
    const std::vector<char> file = whole_file(path);
    sass_program program;
    std::map<uint32_t, int> registers; /* by symbol */
    std::map<std::string, sass_kernel *> by_name;
    Elf64_Ehdr head;

    if (file.size() < sizeof head || memcmp(file.data(), ELFMAG, SELFMAG))
        fail("internal", "%s is no cubin", path);
    memcpy(&head, file.data(), sizeof head);

    std::vector<Elf64_Shdr> sections(head.e_shnum);

    if (head.e_shoff + sections.size() * sizeof sections[0] > file.size())
        fail("internal", "%s is cut off", path);
    memcpy(sections.data(), &file[head.e_shoff], sections.size() * sizeof sections[0]);

    const char *names = &file[sections[head.e_shstrndx].sh_offset];
    std::vector<Elf64_Sym> symbols;
    const char *symbol_names = nullptr;

    for (const Elf64_Shdr &section : sections)
        if (section.sh_type == SHT_SYMTAB) {
            symbols.resize(section.sh_size / sizeof(Elf64_Sym));
            memcpy(symbols.data(), &file[section.sh_offset], section.sh_size);
            symbol_names = &file[sections[section.sh_link].sh_offset];
        }
    /* The architecture is the second byte of the flags: 90 in 0x0a005a04; of older files the first.
     */
    program.architecture =
        head.e_ident[EI_ABIVERSION] >= 8 ? head.e_flags >> 8 & 0xff : head.e_flags & 0xff;
    for (const Elf64_Shdr &section : sections) {
        const char *name = names + section.sh_name;

        if (!strcmp(name, ".nv.info"))
            each_attribute(&file[section.sh_offset], section.sh_size,
                           [&](int attribute, const char *value, size_t size) {
                               uint32_t pair[2];

                               if (attribute == REGISTERS && size == 8) {
                                   memcpy(pair, value, 8);
                                   registers[pair[0]] = (int)pair[1];
                               }
                           });
        if (!strncmp(name, ".text.", 6)) {
            sass_kernel kernel;

            kernel.name = name + 6;
            kernel.code.resize(section.sh_size / 16);
            memcpy(kernel.code.data(), &file[section.sh_offset], kernel.code.size() * 16);
            program.kernels.push_back(kernel);
        }
    }
    for (sass_kernel &kernel : program.kernels) {
        const std::string info = ".nv.info." + kernel.name, shared = ".nv.shared." + kernel.name;

        for (size_t i = 0; i < symbols.size(); i++)
            if (kernel.name == symbol_names + symbols[i].st_name && registers.count((uint32_t)i))
                kernel.registers = registers[(uint32_t)i];
        for (const Elf64_Shdr &section : sections) {
            const char *name = names + section.sh_name;
            const char *end = strrchr(name, '.');

            if (info == name)
                each_attribute(&file[section.sh_offset], section.sh_size,
                               [&](int attribute, const char *value, size_t size) {
                                   uint16_t at;

                                   if (attribute != PARAMETERS || size != 8)
                                       return;
                                   memcpy(&at, value + 4, 2);
                                   kernel.parameters_at = at;
                               });
            if (shared == name) /* from 9.0 on with the first KiB, which CUDA keeps */
                kernel.static_shared = section.sh_size - (program.architecture >= 90 ? 1024 : 0);
            if (!strncmp(name, ".nv.constant", 12) && section.sh_type != SHT_NOBITS &&
                (!end || end == name + 3 || kernel.name == name + 14)) {
                const int bank = name[12] - '0';

                if (bank >= 0 && bank < 8)
                    kernel.banks[bank].assign(&file[section.sh_offset],
                                              &file[section.sh_offset] + section.sh_size);
            }
        }
    }
    return program;
}

} // namespace cpucuda
