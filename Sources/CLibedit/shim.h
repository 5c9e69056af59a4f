#pragma once
#include <stdio.h>
#include <histedit.h>

// libedit takes a variable number of arguments, which Swift cannot pass.

typedef char *(*editor_prompt)(EditLine *);
typedef unsigned char (*editor_command)(EditLine *, int);

static inline EditLine *editor_open(const char *program) {
    return el_init(program, stdin, stdout, stderr);
}
static inline void editor_set_owner(EditLine *e, void *owner) { el_set(e, EL_CLIENTDATA, owner); }
static inline void *editor_owner(EditLine *e) {
    void *owner = NULL;
    el_get(e, EL_CLIENTDATA, &owner);
    return owner;
}
static inline void editor_set_prompt(EditLine *e, editor_prompt f) { el_set(e, EL_PROMPT, f); }
static inline void editor_set_reader(EditLine *e, el_rfunc_t f) { el_set(e, EL_GETCFN, f); }
static inline void editor_set_keys(EditLine *e, const char *map) { el_set(e, EL_EDITOR, map); }
static inline void editor_bind(
    EditLine *e, const char *key, const char *name, editor_command f) {
    el_set(e, EL_ADDFN, name, name, f);
    el_set(e, EL_BIND, key, name, NULL);
}
static inline void editor_refresh(EditLine *e) { el_set(e, EL_REFRESH); }
static inline void editor_prepare_terminal(EditLine *e, int on) { el_set(e, EL_PREP_TERM, on); }

static inline void editor_set_history(EditLine *e, History *h, int most) {
    HistEvent event;
    history(h, &event, H_SETSIZE, most);
    history(h, &event, H_SETUNIQUE, 1);
    el_set(e, EL_HIST, history, h);
}
static inline void history_enter(History *h, const char *line) {
    HistEvent event;
    history(h, &event, H_ENTER, line);
}
static inline void history_load(History *h, const char *file) {
    HistEvent event;
    history(h, &event, H_LOAD, file);
}
static inline int history_save(History *h, const char *file) {
    HistEvent event;
    return history(h, &event, H_SAVE, file);
}
