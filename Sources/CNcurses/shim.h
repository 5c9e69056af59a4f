#pragma once
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>
#include <stdlib.h>
#include <string.h>

// What of ncurses is a macro, or has a variable number of arguments, or a name that the shell of
// Swift would not take. `stdscr` is reached through `screen_open` alone.

static inline WINDOW *screen_open(void) {
    WINDOW *window = initscr();
    if (!window) return NULL;
    cbreak();
    noecho();
    nonl();
    intrflush(window, FALSE);
    keypad(window, TRUE);
    wtimeout(window, 0);
    set_escdelay(25);
    return window;
}

// The C library's word on the columns of a character, by which ncurses goes.
extern int wcwidth(wchar_t character);

// Default colours: what is not coloured looks as everything else in this terminal.
static inline int screen_use_colours(void) {
    if (!has_colors() || start_color() == ERR || use_default_colors() == ERR) return 0;
    for (short colour = 1; colour < 8; colour++) init_pair(colour, colour, -1);
    return 1;
}

enum { screen_bold = 1, screen_dim = 2, screen_reverse = 4, screen_underline = 8 };

static inline void screen_style(WINDOW *window, int attributes, short colour) {
    attr_t bits = A_NORMAL;
    if (attributes & screen_bold) bits |= A_BOLD;
    if (attributes & screen_dim) bits |= A_DIM;
    if (attributes & screen_reverse) bits |= A_REVERSE;
    if (attributes & screen_underline) bits |= A_UNDERLINE;
    wattr_set(window, bits, colour, NULL);
}

static inline int screen_key_bit(void) { return KEY_CODE_YES; }

// Keys that terminals send but terminfo has no name for, each with a number of its own: beyond those
// of ncurses, within the 16 bits that it keeps.
enum {
    screen_key_alt_up = 0x7001, screen_key_alt_down, screen_key_paste, screen_key_pasted,
    screen_key_back_tab
};

static inline void screen_define_keys(void) {
    define_key("\033[1;3A", screen_key_alt_up);
    define_key("\033[1;3B", screen_key_alt_down);
    define_key("\033\033[A", screen_key_alt_up);
    define_key("\033\033[B", screen_key_alt_down);
    define_key("\033\033OA", screen_key_alt_up);
    define_key("\033\033OB", screen_key_alt_down);
    define_key("\033[200~", screen_key_paste);
    define_key("\033[201~", screen_key_pasted);
    define_key("\033[Z", screen_key_back_tab);
}

static inline void screen_use_mouse(int on) {
    mousemask(on ? BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED : 0, NULL);
    mouseinterval(0);
}

// What the mouse did: 1 a press, 2 the wheel up, 3 the wheel down, 0 nothing.
static inline int screen_mouse(int *row, int *column) {
    MEVENT event;
    if (getmouse(&event) != OK) return 0;
    *row = event.y;
    *column = event.x;
    if (event.bstate & BUTTON4_PRESSED) return 2;
    if (event.bstate & BUTTON5_PRESSED) return 3;
    return event.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED) ? 1 : 0;
}

// A string of terminfo by its name; NULL where this terminal has none.
static inline const char *screen_capability(const char *name) {
    const char *text = tigetstr(name);
    return text == (const char *)-1 ? NULL : text;
}
