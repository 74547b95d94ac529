/* The interface from C11 and C++17: what is right is computed, and what is wrong is an error each. */

#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isobar.h"

enum { COLUMNS = 5, LAYERS = 12, TRACERS = 2, MOST_INPUTS = 40 };

static int failures = 0;

static void expect(int holds, const char *what, int line) {
    if (!holds) {
        char message[512];
        isobar_last_error(message, sizeof message);
        fprintf(stderr, "calls.c:%d: %s (last error: %s)\n", line, what, message);
        failures++;
    }
}

#define EXPECT(holds) expect((holds), #holds, __LINE__)

/* The call fails with this status, and the message has these words. */
static void expect_error(int status, int wanted, const char *words, int line) {
    char message[1024];
    isobar_last_error(message, sizeof message);
    if (status != wanted || strstr(message, words) == NULL) {
        fprintf(stderr, "calls.c:%d: status %d, wanted %d with '%s': %s\n", line, status, wanted, words, message);
        failures++;
    }
}

#define EXPECT_ERROR(call, status, words) expect_error((int)(call), (status), (words), __LINE__)

/* Columns of air for YSU, by name. */
typedef struct {
    IsobarArray arrays[MOST_INPUTS];
    size_t count;
    int64_t sizes[MOST_INPUTS][3];
    double *values[MOST_INPUTS];
} Batch;

static double value_of(const char *name, int layer, int column) {
    double up = layer / (double)LAYERS, other = column + 1.0;
    if (!strcmp(name, "u_m_per_s")) return 5.0 + 10.0 * up + 0.3 * other;
    if (!strcmp(name, "v_m_per_s")) return 1.0 - 3.0 * up;
    if (!strcmp(name, "temperature_k")) return 295.0 - 30.0 * up + 0.1 * other;
    if (!strcmp(name, "vapour_kg_per_kg")) return 0.01 * exp(-3.0 * up);
    if (!strcmp(name, "pressure_pa")) return 1.0e5 * exp(-0.4 * (up + 0.5 / LAYERS));
    if (!strcmp(name, "interface_pressure_pa")) return 1.0e5 * exp(-0.4 * up);
    if (!strcmp(name, "exner")) return pow(exp(-0.4 * (up + 0.5 / LAYERS)), 2.0 / 7.0);
    if (!strcmp(name, "thickness_m")) return 290.0;
    if (!strcmp(name, "surface_pressure_pa")) return 1.0e5;
    if (!strcmp(name, "roughness_m")) return 0.1;
    if (!strcmp(name, "friction_velocity_m_per_s")) return 0.3 + 0.02 * other;
    if (!strcmp(name, "profile_momentum")) return 6.0;
    if (!strcmp(name, "profile_heat")) return 5.0;
    if (!strcmp(name, "land_or_water")) return 1.0;
    if (!strcmp(name, "sensible_heat_flux_w_per_m2")) return 150.0 + 10.0 * other;
    if (!strcmp(name, "moisture_flux_kg_per_m2_s")) return 5.0e-5;
    if (!strcmp(name, "wind_speed_m_per_s")) return 5.5;
    if (!strcmp(name, "richardson")) return -0.3;
    if (!strcmp(name, "tracers")) return 1.0 + up + other;
    return 0.0;
}

/* All inputs that are needed, and tracers, with the columns last or first. */
static void make(Batch *batch, const IsobarScheme *scheme, int items_first, int with_tracers) {
    size_t index, fields = isobar_field_count(scheme, 0);
    memset(batch, 0, sizeof *batch);
    for (index = 0; index < fields; index++) {
        IsobarField field;
        memset(&field, 0, sizeof field);
        field.version = ISOBAR_VERSION;
        EXPECT(isobar_describe(scheme, 0, index, &field) == ISOBAR_STATUS_OK);
        int is_tracers = !strcmp(field.name, "tracers");
        if (!field.required && !(is_tracers && with_tracers)) continue;
        size_t at = batch->count++;
        int64_t *sizes = batch->sizes[at];
        int d, own = field.dimensions;
        int64_t rows = 1;
        for (d = 0; d < own; d++) {
            int64_t size = !strcmp(field.dimension[d], "layer")   ? LAYERS
                           : !strcmp(field.dimension[d], "level") ? LAYERS + 1
                                                                  : TRACERS;
            sizes[d + (items_first ? 1 : 0)] = size;
            rows *= size;
        }
        sizes[items_first ? 0 : own] = COLUMNS;
        double *values = (double *)malloc((size_t)(rows * COLUMNS) * sizeof(double));
        int64_t row;
        int column;
        for (row = 0; row < rows; row++) {
            for (column = 0; column < COLUMNS; column++) {
                int layer = (int)(is_tracers ? row / TRACERS : row);
                double value = value_of(field.name, layer, column) + (is_tracers ? (double)(row % TRACERS) : 0.0);
                values[items_first ? column * rows + row : row * COLUMNS + column] = value;
            }
        }
        IsobarArray *array = &batch->arrays[at];
        array->version = ISOBAR_VERSION;
        array->kind = ISOBAR_KIND_F64;
        array->device = -1;
        array->dimensions = own + 1;
        array->name = field.name;
        array->data = batch->values[at] = values;
        array->sizes = sizes;
    }
}

static void drop(Batch *batch) {
    size_t i;
    for (i = 0; i < batch->count; i++) free(batch->values[i]);
}

static IsobarArray *named(Batch *batch, const char *name) {
    size_t i;
    for (i = 0; i < batch->count; i++) {
        if (!strcmp(batch->arrays[i].name, name)) return &batch->arrays[i];
    }
    abort();
}

static IsobarArray array_of(const char *name, double *data, int32_t dimensions, const int64_t *sizes) {
    IsobarArray array;
    memset(&array, 0, sizeof array);
    array.version = ISOBAR_VERSION;
    array.kind = ISOBAR_KIND_F64;
    array.device = -1;
    array.dimensions = dimensions;
    array.name = name;
    array.data = data;
    array.sizes = sizes;
    return array;
}

static IsobarRun run_of(Batch *batch, IsobarArray *outputs, size_t count) {
    IsobarRun run;
    memset(&run, 0, sizeof run);
    run.version = ISOBAR_VERSION;
    run.top_first = -1;
    run.options = "{\"time_step_s\": 60}";
    run.inputs = batch->arrays;
    run.input_count = batch->count;
    run.outputs = outputs;
    run.output_count = count;
    return run;
}

static IsobarSetup setup_of(const char *scheme) {
    IsobarSetup setup;
    memset(&setup, 0, sizeof setup);
    setup.version = ISOBAR_VERSION;
    setup.precision = 64;
    setup.scheme = scheme;
    setup.device = "thread";
    return setup;
}

static void creation(void) {
    IsobarScheme *scheme = NULL;
    IsobarSetup setup = setup_of("ysu");
    char cut[8];
    EXPECT(isobar_version() == ISOBAR_VERSION);
    EXPECT(!strcmp(isobar_scheme_name(0), "ysu") && isobar_scheme_name(1000) == NULL);
    isobar_destroy(NULL);
    EXPECT_ERROR(isobar_create(NULL, &scheme), ISOBAR_STATUS_NULL, "the setup is null");
    EXPECT_ERROR(isobar_create(&setup, NULL), ISOBAR_STATUS_NULL, "is null");
    setup.version = 99;
    EXPECT_ERROR(isobar_create(&setup, &scheme), ISOBAR_STATUS_VERSION, "version 99");
    setup = setup_of(NULL);
    EXPECT_ERROR(isobar_create(&setup, &scheme), ISOBAR_STATUS_NULL, "the name of the scheme is null");
    setup = setup_of("yssu");
    EXPECT_ERROR(isobar_create(&setup, &scheme), ISOBAR_STATUS_NAME, "did you mean 'ysu'?");
    EXPECT(scheme == NULL);
    setup = setup_of("\xff\xfe");
    EXPECT_ERROR(isobar_create(&setup, &scheme), ISOBAR_STATUS_TEXT, "UTF-8");
    setup = setup_of("ysu");
    setup.precision = 16;
    EXPECT_ERROR(isobar_create(&setup, &scheme), ISOBAR_STATUS_VALUE, "precision 16");
    /* The JSON text says something else, or what has no effect. */
    setup = setup_of("ysu");
    setup.json = "{\"device\": \"cuda\"}";
    EXPECT_ERROR(isobar_create(&setup, &scheme), ISOBAR_STATUS_VALUE,
                 "the device of the setup is 'thread', and in its JSON text 'cuda'");
    setup.json = "{\"precision\": \"f32\"}";
    EXPECT_ERROR(isobar_create(&setup, &scheme), ISOBAR_STATUS_VALUE,
                 "the precision of the setup is 'f64', and in its JSON text 'f32'");
    setup.json = "{\"threads\": 2}";
    EXPECT_ERROR(isobar_create(&setup, &scheme), ISOBAR_STATUS_VALUE, "threads is 2, and the device 'thread'");
    setup.json = "{\"threads\": 1, \"tables\": {\"clouds\": [{\"a\": 1, \"a\": 1}]}}";
    EXPECT_ERROR(isobar_create(&setup, &scheme), ISOBAR_STATUS_VALUE,
                 "the JSON text of the setup: the key 'a' is given twice");
    setup.json = "{\"device\": \"thread\", \"precision\": \"f64\", \"threads\": 1}";
    EXPECT(isobar_create(&setup, &scheme) == ISOBAR_STATUS_OK);
    isobar_destroy(scheme);
    scheme = NULL;
    setup = setup_of("ysu");
    setup.device = "gpu";
    EXPECT_ERROR(isobar_create(&setup, &scheme), ISOBAR_STATUS_DEVICE, "'gpu' is not a device");
    setup = setup_of("ysu");
    setup.json = "{\"threads\":";
    EXPECT_ERROR(isobar_create(&setup, &scheme), ISOBAR_STATUS_VALUE, "setup");
    setup = setup_of("radiation");
    setup.json = "{\"tables\": {\"k_distributions\": [\"/no/such/file\"]}}";
    EXPECT_ERROR(isobar_create(&setup, &scheme), ISOBAR_STATUS_FILE, "/no/such/file");
    EXPECT(isobar_last_error(NULL, 0) > 10);
    EXPECT(isobar_last_error(cut, sizeof cut) > sizeof cut && strlen(cut) == sizeof cut - 1);
}

/* Results do not depend on the order of dimensions, nor on strides. */
static void layouts(IsobarScheme *scheme) {
    static double last[LAYERS][COLUMNS], first[COLUMNS][LAYERS], apart[LAYERS][COLUMNS][3], tendencies[2][3][TRACERS *
                                                                                                             LAYERS *
                                                                                                             COLUMNS];
    static const int64_t rows_first[2] = {LAYERS, COLUMNS}, columns_first[2] = {COLUMNS, LAYERS};
    static const int64_t strides[2] = {3 * COLUMNS, 3}, of_tracers[3] = {LAYERS, TRACERS, COLUMNS};
    /* Fortran's a(column, layer, tracer). */
    static const int64_t as_fortran[3] = {COLUMNS, LAYERS * COLUMNS, 1};
    int64_t sizes[ISOBAR_MOST_DIMENSIONS];
    int32_t dimensions = 0;
    int layer, tracer, column;
    Batch batch;
    IsobarArray outputs[2];
    IsobarRun run;
    const char *name = "theta_tendency_k_per_s";

    make(&batch, scheme, 0, 1);
    outputs[0] = array_of(name, &last[0][0], 2, rows_first);
    outputs[1] = array_of("tracers_tendency_per_s", tendencies[0][0], 3, of_tracers);
    run = run_of(&batch, outputs, 2);
    EXPECT(isobar_sizes(scheme, &run, name, sizes, &dimensions) == ISOBAR_STATUS_OK);
    EXPECT(dimensions == 2 && sizes[0] == LAYERS && sizes[1] == COLUMNS);
    EXPECT(isobar_run(scheme, &run) == ISOBAR_STATUS_OK);
    EXPECT(last[0][0] != 0.0);

    /* Tracers in another order: copied inside. */
    double *other = (double *)malloc(sizeof tendencies[0][0]), *own = (double *)named(&batch, "tracers")->data;
    for (layer = 0; layer < LAYERS; layer++) {
        for (tracer = 0; tracer < TRACERS; tracer++) {
            for (column = 0; column < COLUMNS; column++) {
                other[(tracer * LAYERS + layer) * COLUMNS + column] =
                    own[(layer * TRACERS + tracer) * COLUMNS + column];
            }
        }
    }
    named(&batch, "tracers")->data = other;
    named(&batch, "tracers")->strides = as_fortran;
    outputs[0] = array_of(name, &apart[0][0][0], 2, rows_first);
    outputs[0].strides = strides;
    outputs[1].data = tendencies[1][0];
    outputs[1].strides = as_fortran;
    EXPECT(isobar_run(scheme, &run) == ISOBAR_STATUS_OK);
    for (layer = 0; layer < LAYERS; layer++) {
        for (column = 0; column < COLUMNS; column++) {
            EXPECT(apart[layer][column][0] == last[layer][column] && apart[layer][column][1] == 0.0);
            for (tracer = 0; tracer < TRACERS; tracer++) {
                EXPECT(tendencies[1][0][(tracer * LAYERS + layer) * COLUMNS + column] ==
                       tendencies[0][0][(layer * TRACERS + tracer) * COLUMNS + column]);
            }
        }
    }
    free(other);
    drop(&batch);

    make(&batch, scheme, 1, 0);
    outputs[0] = array_of(name, &first[0][0], 2, columns_first);
    run = run_of(&batch, outputs, 1);
    run.items_first = 1;
    EXPECT(isobar_run(scheme, &run) == ISOBAR_STATUS_OK);
    for (layer = 0; layer < LAYERS; layer++) {
        for (column = 0; column < COLUMNS; column++) EXPECT(first[column][layer] == last[layer][column]);
    }
    drop(&batch);
}

static void errors(IsobarScheme *scheme) {
    static double values[LAYERS * COLUMNS], kept;
    static const int64_t sizes[2] = {LAYERS, COLUMNS}, too_few[2] = {LAYERS - 1, COLUMNS}, negative[2] = {-1, COLUMNS};
    static const int64_t huge[2] = {INT64_MAX / 2, COLUMNS}, zeros[2] = {0, 0};
    static const int64_t no_layers[2] = {0, COLUMNS};
    int64_t found[ISOBAR_MOST_DIMENSIONS];
    int32_t dimensions;
    const char *name = "u_tendency_m_per_s2";
    Batch batch;
    IsobarField field;
    IsobarArray output = array_of(name, values, 2, sizes), saved, *temperature;
    IsobarRun run;

    make(&batch, scheme, 0, 0);
    run = run_of(&batch, &output, 1);
    EXPECT_ERROR(isobar_run(NULL, &run), ISOBAR_STATUS_NULL, "the scheme is null");
    EXPECT_ERROR(isobar_run(scheme, NULL), ISOBAR_STATUS_NULL, "the run is null");
    run.version = 0;
    EXPECT_ERROR(isobar_run(scheme, &run), ISOBAR_STATUS_VERSION, "version 0");
    run = run_of(&batch, &output, 1);
    run.inputs = NULL;
    EXPECT_ERROR(isobar_run(scheme, &run), ISOBAR_STATUS_NULL, "the inputs is null");
    run = run_of(&batch, NULL, 1);
    EXPECT_ERROR(isobar_run(scheme, &run), ISOBAR_STATUS_NULL, "the outputs is null");
    run = run_of(&batch, &output, 1);
    run.top_first = 7;
    EXPECT_ERROR(isobar_run(scheme, &run), ISOBAR_STATUS_VALUE, "top_first is 7");
    run = run_of(&batch, &output, 1);
    run.items_first = 2;
    EXPECT_ERROR(isobar_run(scheme, &run), ISOBAR_STATUS_VALUE, "items_first is 2");
    run = run_of(&batch, &output, 1);
    run.options = NULL;
    EXPECT_ERROR(isobar_run(scheme, &run), ISOBAR_STATUS_VALUE, "'time_step_s' has to be given");
    run.options = "[1, 2]";
    EXPECT_ERROR(isobar_run(scheme, &run), ISOBAR_STATUS_VALUE, "no JSON object");
    run.options = "{\"time_stepp_s\": 60}";
    EXPECT_ERROR(isobar_run(scheme, &run), ISOBAR_STATUS_NAME, "did you mean 'time_step_s'?");
    run.options = "{\"time_step_s\": 60, \"top_down\": false, \"time_step_s\": 3600}";
    EXPECT_ERROR(isobar_run(scheme, &run), ISOBAR_STATUS_VALUE, "the options: the key 'time_step_s' is given twice");
    run.options = "{\"time_step_s\": 60, \"constants\": {\"karman\": 0.4, \"karman\": 0.35}}";
    EXPECT_ERROR(isobar_run(scheme, &run), ISOBAR_STATUS_VALUE, "the key 'karman' is given twice");
    run.options = "{\"time_step_s\": -1}";
    EXPECT_ERROR(isobar_run(scheme, &run), ISOBAR_STATUS_VALUE, "time step");

    temperature = named(&batch, "temperature_k");
    saved = *temperature;
    run = run_of(&batch, &output, 1);
#define WRONG(change, status, words)                      \
    do {                                                  \
        change;                                           \
        EXPECT_ERROR(isobar_run(scheme, &run), status, words); \
        *temperature = saved;                             \
    } while (0)
    WRONG(temperature->version = 3, ISOBAR_STATUS_VERSION, "an array has version 3");
    WRONG(temperature->kind = 0, ISOBAR_STATUS_KIND, "kind 0");
    WRONG(temperature->kind = ISOBAR_KIND_F32, ISOBAR_STATUS_KIND, "temperature_k is f32");
    WRONG(temperature->name = NULL, ISOBAR_STATUS_NULL, "the name of an array is null");
    WRONG(temperature->name = "temperature", ISOBAR_STATUS_NAME, "did you mean 'temperature_k'?");
    WRONG(temperature->name = "pressure_pa", ISOBAR_STATUS_NAME, "pressure_pa is given twice");
    WRONG(temperature->data = NULL, ISOBAR_STATUS_NULL, "temperature_k is null");
    WRONG(temperature->data = (char *)saved.data + 1, ISOBAR_STATUS_KIND, "multiple of 8 bytes");
    WRONG(temperature->sizes = NULL, ISOBAR_STATUS_NULL, "sizes of temperature_k is null");
    WRONG(temperature->sizes = too_few, ISOBAR_STATUS_VALUE, "has shape");
    WRONG(temperature->sizes = negative, ISOBAR_STATUS_VALUE, "size -1 along dimension 0");
    WRONG(temperature->sizes = huge, ISOBAR_STATUS_VALUE, "larger than any memory");
    WRONG(temperature->strides = huge, ISOBAR_STATUS_VALUE, "larger than any memory");
    WRONG(temperature->sizes = no_layers, ISOBAR_STATUS_VALUE, "temperature_k has 5 columns without layers");
    WRONG(temperature->sizes = zeros, ISOBAR_STATUS_VALUE, "temperature_k");
    WRONG(temperature->dimensions = -1, ISOBAR_STATUS_VALUE, "-1 dimensions");
    WRONG(temperature->dimensions = 9, ISOBAR_STATUS_VALUE, "9 dimensions");
    WRONG(temperature->device = 0, ISOBAR_STATUS_KIND, "one place");
    WRONG(temperature->device = -2, ISOBAR_STATUS_VALUE, "temperature_k has device -2");
    kept = ((double *)saved.data)[3 * COLUMNS + 1];
    WRONG(((double *)saved.data)[3 * COLUMNS + 1] = 1000.0, ISOBAR_STATUS_VALUE,
          "temperature_k at column 1, layer 3 is 1000, which is not in [100, 400] K");
    WRONG(((double *)saved.data)[3 * COLUMNS + 1] = NAN, ISOBAR_STATUS_VALUE,
          "temperature_k at column 1, layer 3 is NaN");
    ((double *)saved.data)[3 * COLUMNS + 1] = kept;

    output.sizes = too_few;
    EXPECT_ERROR(isobar_run(scheme, &run), ISOBAR_STATUS_VALUE, name);
    output = array_of(name, (double *)saved.data, 2, sizes);
    EXPECT_ERROR(isobar_run(scheme, &run), ISOBAR_STATUS_VALUE, "shares memory with the input temperature_k");
    output = array_of("no_such_output", values, 2, sizes);
    EXPECT_ERROR(isobar_run(scheme, &run), ISOBAR_STATUS_NAME, "no_such_output");
    output = array_of(name, values, 2, sizes);
    run.input_count = 5;
    EXPECT_ERROR(isobar_run(scheme, &run), ISOBAR_STATUS_VALUE, "is missing, and needed");
    run = run_of(&batch, &output, 1);
    run.input_count = 1000;
    EXPECT_ERROR(isobar_run(scheme, &run), ISOBAR_STATUS_VALUE, "1000 inputs");

    run = run_of(&batch, &output, 1);
    run.reserved = 1;
    EXPECT_ERROR(isobar_run(scheme, &run), ISOBAR_STATUS_VALUE, "reserved of the run is 1");

    run = run_of(&batch, &output, 1);
    EXPECT_ERROR(isobar_sizes(scheme, &run, NULL, found, &dimensions), ISOBAR_STATUS_NULL, "name of the output");
    EXPECT_ERROR(isobar_sizes(scheme, &run, name, NULL, &dimensions), ISOBAR_STATUS_NULL, "place of the sizes");
    EXPECT_ERROR(isobar_sizes(scheme, &run, "u", found, &dimensions), ISOBAR_STATUS_NAME, "result 'u'");
    memset(&field, 0, sizeof field);
    EXPECT_ERROR(isobar_describe(scheme, 0, 0, &field), ISOBAR_STATUS_VERSION, "the field has version 0");
    field.version = ISOBAR_VERSION;
    EXPECT_ERROR(isobar_describe(scheme, 1, 1000, &field), ISOBAR_STATUS_VALUE, "no field 1000");
    EXPECT_ERROR(isobar_describe(scheme, 1, 0, NULL), ISOBAR_STATUS_NULL, "place of the field");
    EXPECT_ERROR(isobar_describe(NULL, 1, 0, &field), ISOBAR_STATUS_NULL, "scheme");
    EXPECT(isobar_field_count(NULL, 0) == 0 && isobar_facts(NULL) == NULL && isobar_defaults(NULL) == NULL);
    EXPECT_ERROR(isobar_need(scheme, "{\"time_step_s\": 60}", 1000), ISOBAR_STATUS_VALUE, "no field 1000");
    /* After all of that it still computes. */
    EXPECT(isobar_run(scheme, &run) == ISOBAR_STATUS_OK);
    drop(&batch);
}

static void description(IsobarScheme *scheme) {
    size_t index, heating = 0;
    for (index = 0; index < isobar_field_count(scheme, 0); index++) {
        IsobarField field;
        memset(&field, 0, sizeof field);
        field.version = ISOBAR_VERSION;
        EXPECT(isobar_describe(scheme, 0, index, &field) == ISOBAR_STATUS_OK);
        EXPECT(strlen(field.name) > 0 && strlen(field.unit) > 0 && strlen(field.doc) > 0);
        if (!strcmp(field.name, "temperature_k")) {
            EXPECT(field.kind == ISOBAR_KIND_F64 && field.required == 1 && field.dimensions == 1);
            EXPECT(!strcmp(field.unit, "K") && !strcmp(field.dimension[0], "layer"));
            EXPECT(field.lowest == 100.0 && field.highest == 400.0 && !strcmp(field.accepted, "in [100, 400]"));
            EXPECT(!strcmp(field.standard_names[0], "air_temperature") && field.standard_names[1] == NULL);
            EXPECT(!strcmp(field.aliases[0], "t") && !strcmp(field.aliases[3], "temp") && field.aliases[4] == NULL);
        }
        if (!strcmp(field.name, "radiative_heating_k_per_s")) heating = index;
    }
    EXPECT(isobar_need(scheme, "{\"time_step_s\": 60}", heating) == 0);
    EXPECT(isobar_need(scheme, "{\"time_step_s\": 60, \"top_down\": true}", heating) == 2);
    EXPECT(strstr(isobar_defaults(scheme), "\"time_step_s\":null") != NULL);
}

/* Bad items are flagged where the setup says so. */
static void flagged(void) {
    static double values[LAYERS * COLUMNS];
    static const int64_t sizes[2] = {LAYERS, COLUMNS};
    IsobarSetup setup = setup_of("ysu");
    IsobarScheme *scheme = NULL;
    IsobarArray output = array_of("u_tendency_m_per_s2", values, 2, sizes);
    IsobarRun run;
    Batch batch;
    setup.json = "{\"bad_items\": \"flag\"}";
    EXPECT(isobar_create(&setup, &scheme) == ISOBAR_STATUS_OK);
    make(&batch, scheme, 0, 0);
    ((double *)named(&batch, "temperature_k")->data)[2] = -1.0;
    run = run_of(&batch, &output, 1);
    EXPECT_ERROR(isobar_run(scheme, &run), ISOBAR_STATUS_FLAGGED,
                 "flagged items: 1; the first: temperature_k at column 2");
    EXPECT(isnan(values[2]) && !isnan(values[1]));
    drop(&batch);
    isobar_destroy(scheme);
}

static int32_t stop_at_once(void *context, size_t done) {
    (void)done;
    ++*(int *)context;
    return 1;
}

/* A run that is stopped says so. */
static void stopped(void) {
    static double values[LAYERS * COLUMNS];
    static const int64_t sizes[2] = {LAYERS, COLUMNS};
    IsobarSetup setup = setup_of("ysu");
    IsobarScheme *scheme = NULL;
    IsobarArray output = array_of("u_tendency_m_per_s2", values, 2, sizes);
    IsobarRun run;
    Batch batch;
    int calls = 0;
    setup.json = "{\"items_per_chunk\": 1}";
    EXPECT(isobar_create(&setup, &scheme) == ISOBAR_STATUS_OK);
    make(&batch, scheme, 0, 0);
    run = run_of(&batch, &output, 1);
    run.progress = stop_at_once;
    run.context = &calls;
    EXPECT_ERROR(isobar_run(scheme, &run), ISOBAR_STATUS_STOPPED, "the run was stopped after");
    EXPECT(calls > 0);
    drop(&batch);
    isobar_destroy(scheme);
}

typedef struct {
    IsobarScheme *scheme;
    double values[LAYERS * COLUMNS];
    int failed;
} Work;

static void *work(void *argument) {
    static const int64_t sizes[2] = {LAYERS, COLUMNS};
    Work *own = (Work *)argument;
    IsobarArray output = array_of("theta_tendency_k_per_s", own->values, 2, sizes);
    Batch batch;
    int turn;
    make(&batch, own->scheme, 0, 0);
    for (turn = 0; turn < 20; turn++) {
        char message[256];
        IsobarRun run = run_of(&batch, &output, 1);
        own->failed |= isobar_run(own->scheme, &run) != ISOBAR_STATUS_OK;
        /* The message is that of this thread. */
        run.options = turn % 2 ? "{\"time_step_s\": -1}" : "{\"time_step_s\": -2}";
        own->failed |= isobar_run(own->scheme, &run) != ISOBAR_STATUS_VALUE;
        isobar_last_error(message, sizeof message);
        own->failed |= strstr(message, turn % 2 ? "is -1 s" : "is -2 s") == NULL;
    }
    drop(&batch);
    return NULL;
}

static void threads(IsobarScheme *scheme) {
    enum { THREADS = 8 };
    static Work works[THREADS];
    pthread_t threads[THREADS];
    int i;
    for (i = 0; i < THREADS; i++) {
        works[i].scheme = scheme;
        EXPECT(pthread_create(&threads[i], NULL, work, &works[i]) == 0);
    }
    for (i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        EXPECT(!works[i].failed);
        EXPECT(memcmp(works[i].values, works[0].values, sizeof works[0].values) == 0);
    }
}

/* The floating-point environment of the caller: its traps end no run, its flags are not touched, and its rounding is
 * neither the library's nor changed. On the calling thread and on others. */
static void floats(void) {
    static const int64_t rows_first[2] = {LAYERS, COLUMNS};
    static const char *const devices[2] = {"thread", "cpu"};
    static double usual[LAYERS][COLUMNS], other[LAYERS][COLUMNS];
    int i, raised;
    for (i = 0; i < 2; i++) {
        IsobarSetup setup = setup_of("ysu");
        IsobarScheme *scheme = NULL;
        IsobarArray output = array_of("theta_tendency_k_per_s", &usual[0][0], 2, rows_first);
        IsobarRun run;
        Batch batch;
        setup.device = devices[i];
        EXPECT(isobar_create(&setup, &scheme) == ISOBAR_STATUS_OK);
        make(&batch, scheme, 0, 0);
        run = run_of(&batch, &output, 1);
        feclearexcept(FE_ALL_EXCEPT);
        EXPECT(isobar_run(scheme, &run) == ISOBAR_STATUS_OK);
        EXPECT(fetestexcept(FE_ALL_EXCEPT) == 0);
        output.data = &other[0][0];
        EXPECT(fesetround(FE_UPWARD) == 0);
        feraiseexcept(FE_INEXACT);
        /* Valgrind has no flags. */
        raised = fetestexcept(FE_ALL_EXCEPT);
        EXPECT(raised == FE_INEXACT || raised == 0);
        EXPECT(isobar_run(scheme, &run) == ISOBAR_STATUS_OK);
        EXPECT(fegetround() == FE_UPWARD && fetestexcept(FE_ALL_EXCEPT) == raised);
        EXPECT(fesetround(FE_TONEAREST) == 0);
        EXPECT(memcmp(usual, other, sizeof usual) == 0);
        isobar_destroy(scheme);
        drop(&batch);
    }
}

int main(void) {
    IsobarSetup setup = setup_of("ysu");
    IsobarScheme *scheme = NULL;
#ifdef __GLIBC__
    /* As -ffpe-trap=invalid,zero,overflow has it in Fortran. */
    EXPECT(feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW) == 0);
#endif
    creation();
    EXPECT(isobar_create(&setup, &scheme) == ISOBAR_STATUS_OK && scheme != NULL);
    if (scheme == NULL) return 1;
    description(scheme);
    layouts(scheme);
    errors(scheme);
    flagged();
    stopped();
    threads(scheme);
    floats();
    isobar_destroy(scheme);
    if (failures == 0) puts("all calls are as they should be");
    return failures != 0;
}
