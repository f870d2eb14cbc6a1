/*
 * Linked into the static program of the packages, and only there.
 *
 * A static program that looks up a name loads the modules which nsswitch.conf names, and with them the C library of the
 * machine. That works only if it is the very version that the program was built with; else the program may crash. The two
 * modules named here are part of the program itself.
 */
#include <nss.h>

__attribute__((constructor)) static void name_lookup_without_modules(void) {
    __nss_configure_lookup("hosts", "files dns");
    __nss_configure_lookup("passwd", "files");
}
