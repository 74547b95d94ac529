/* Isobar from C and C++: atmospheric schemes by name, on arrays by name. `docs/crates/c-and-fortran.md` is the guide.

   A scheme is made once, and then run by any number of threads:

     IsobarSetup setup = {.version = ISOBAR_VERSION, .precision = 64, .scheme = "ysu", .device = "thread"};
     IsobarScheme *ysu;
     if (isobar_create(&setup, &ysu) < 0) ...  isobar_last_error has the message

   All functions that can fail answer with an IsobarStatus, and none of them ends the program. Structs begin with a
   version.

   Made by cbindgen of the crate isobar-c: do not edit. */

#ifndef ISOBAR_H
#define ISOBAR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/**
 * The version of the interface, which is that of its structs.
 */
#define ISOBAR_VERSION 1

/**
 * The most dimensions of an array, the items among them.
 */
#define ISOBAR_MOST_DIMENSIONS 8

/**
 * What became of a call: negative where it failed. `isobar_last_error` has the message.
 */
enum IsobarStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Done.
   */
  ISOBAR_STATUS_OK = 0,
  /**
   * Done, but for items that are not valid and were flagged, as the option `bad_items` asks for: they have no
   * numbers. The message is about the first of them.
   */
  ISOBAR_STATUS_FLAGGED = 1,
  /**
   * A pointer is null where something is needed.
   */
  ISOBAR_STATUS_NULL = -1,
  /**
   * A struct is of another version of the interface.
   */
  ISOBAR_STATUS_VERSION = -2,
  /**
   * A text is not UTF-8.
   */
  ISOBAR_STATUS_TEXT = -3,
  /**
   * There is no scheme, field or option of this name.
   */
  ISOBAR_STATUS_NAME = -4,
  /**
   * A value, a size, a shape, or options that do not go together.
   */
  ISOBAR_STATUS_VALUE = -5,
  /**
   * An array has elements of another kind, or lies elsewhere.
   */
  ISOBAR_STATUS_KIND = -6,
  /**
   * A file is missing or wrong.
   */
  ISOBAR_STATUS_FILE = -7,
  /**
   * There is no memory.
   */
  ISOBAR_STATUS_MEMORY = -8,
  /**
   * A device is not there or failed.
   */
  ISOBAR_STATUS_DEVICE = -9,
  /**
   * The run was stopped.
   */
  ISOBAR_STATUS_STOPPED = -10,
  /**
   * An error of Isobar itself.
   */
  ISOBAR_STATUS_PANIC = -11,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum IsobarStatus IsobarStatus;
#else
typedef int32_t IsobarStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What an array's elements are.
 */
enum IsobarKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * `float`.
   */
  ISOBAR_KIND_F32 = 1,
  /**
   * `double`.
   */
  ISOBAR_KIND_F64 = 2,
  /**
   * `uint32_t`: counts, indices, statuses, masks.
   */
  ISOBAR_KIND_WORD = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum IsobarKind IsobarKind;
#else
typedef int32_t IsobarKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A scheme with its tables on its devices: `isobar_create` makes it, `isobar_destroy` gives it back. Any number of
 * threads may run it at the same time.
 */
typedef struct IsobarScheme IsobarScheme;

/**
 * An array of the caller under the name of a field.
 *
 * Its dimensions are those of the field in the order of the declaration, the slowest first, and the items (columns,
 * profiles, cells) behind them, or before them if the run says `items_first`. Without the items it is the same for all
 * of them, without any dimension one value for all; a dimension of size 1 stands for any size.
 */
typedef struct IsobarArray {
  /**
   * `ISOBAR_VERSION`.
   */
  uint32_t version;
  /**
   * What the elements are: one of `IsobarKind`.
   */
  int32_t kind;
  /**
   * -1 for the host's memory, or the number of the GPU where the array lies.
   */
  int32_t device;
  /**
   * The number of dimensions.
   */
  int32_t dimensions;
  /**
   * The name of the field.
   */
  const char *name;
  /**
   * The first element. Null only if the array is empty.
   */
  void *data;
  /**
   * The size of each dimension. Null only without dimensions.
   */
  const int64_t *sizes;
  /**
   * The elements from one to the next along each dimension; null where they lie one behind the other, the last
   * dimension the fastest.
   */
  const int64_t *strides;
} IsobarArray;

/**
 * Is told now and then how many items are done, by any thread; what is not 0 stops the run.
 */
typedef int32_t (*IsobarProgress)(void *context, size_t done);

/**
 * A run: arrays, options, the order of dimensions.
 */
typedef struct IsobarRun {
  /**
   * `ISOBAR_VERSION`.
   */
  uint32_t version;
  /**
   * 0: the items are the last dimension of all arrays, `[layer][column]`; 1: the first, `[column][layer]`.
   */
  int32_t items_first;
  /**
   * 1: layers and levels go from the top down; 0: from the surface up; -1: as the scheme has them.
   */
  int32_t top_first;
  /**
   * 0.
   */
  int32_t reserved;
  /**
   * A JSON object, or null: options by name, the others as `isobar_defaults` has them.
   */
  const char *options;
  /**
   * What goes in.
   */
  const struct IsobarArray *inputs;
  /**
   * How many arrays that are.
   */
  size_t input_count;
  /**
   * What comes out. A result that is not among them is computed and dropped.
   */
  const struct IsobarArray *outputs;
  /**
   * How many arrays that are.
   */
  size_t output_count;
  /**
   * Null, or a function that is told how the run goes on.
   */
  IsobarProgress progress;
  /**
   * What that function gets.
   */
  void *context;
} IsobarRun;

/**
 * How a scheme is made.
 */
typedef struct IsobarSetup {
  /**
   * `ISOBAR_VERSION`.
   */
  uint32_t version;
  /**
   * 32 or 64 bits a number; 0 for what `json` says.
   */
  uint32_t precision;
  /**
   * The name: `surface`, `ysu`, `shin_hong`, `radiation`, `radiation_adjoint`, `clear_sky`, `scattering`, `adding`,
   * `adding_adjoint`, `chemistry` or `infrared`; `isobar_scheme_name` has them all.
   */
  const char *scheme;
  /**
   * `thread` (the calling one), `cpu` (all threads), `cuda`, `cuda:1` (a number), `cuda:all` or `auto`; null for
   * what `json` says, which is `cpu` where it says nothing.
   */
  const char *device;
  /**
   * A JSON object, or null: `device`, `precision` (`"f32"`, `"f64"`), `threads`, `bad_items` (`"stop"`, `"flag"`,
   * `"compute"`), `items_per_chunk`, and `tables`, an object with the files of the scheme. A device or a precision
   * that is not that of the members above is an error, and so is more than one of `threads` on the device `thread`.
   */
  const char *json;
} IsobarSetup;

/**
 * What a scheme says of a field. Its texts live as long as the scheme.
 */
typedef struct IsobarField {
  /**
   * `ISOBAR_VERSION`, set by the caller.
   */
  uint32_t version;
  /**
   * What its elements are: one of `IsobarKind`.
   */
  int32_t kind;
  /**
   * The number of its dimensions besides the items.
   */
  int32_t dimensions;
  /**
   * 1 if an input has to be given unless the options say otherwise (`isobar_need`); 0 for outputs.
   */
  int32_t required;
  /**
   * The name.
   */
  const char *name;
  /**
   * The unit as `UDUNITS` writes it.
   */
  const char *unit;
  /**
   * A line of documentation.
   */
  const char *doc;
  /**
   * The accepted range in words.
   */
  const char *accepted;
  /**
   * The names of the dimensions, the slowest first.
   */
  const char *dimension[ISOBAR_MOST_DIMENSIONS];
  /**
   * The least accepted number; minus infinity where there is none.
   */
  double lowest;
  /**
   * The greatest one.
   */
  double highest;
  /**
   * CF's standard names, and a null pointer behind them.
   */
  const char *const *standard_names;
  /**
   * Aliases in files, and a null pointer behind them.
   */
  const char *const *aliases;
} IsobarField;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The version of the library's interface: compare it with `ISOBAR_VERSION`.
 */
uint32_t isobar_version(void);

/**
 * Computes the outputs of a run from its inputs. Arrays are used in place, with any strides; but those of two declared
 * dimensions whose rows lie at no equal distances are copied.
 *
 * # Safety
 * The pointers are null or to what they should be; nobody writes the inputs meanwhile, or reads or writes the outputs.
 */
IsobarStatus isobar_run(const struct IsobarScheme *scheme, const struct IsobarRun *run);

/**
 * The sizes that an output of this name has with the inputs and options of a run, in the order of its dimensions, the
 * items among them: so that the caller can make room. `dimensions` gets their number, or -1 where the options do not
 * want the output. `sizes` has room for `ISOBAR_MOST_DIMENSIONS`.
 *
 * # Safety
 * As `isobar_run`, and the pointers are null or to what they should be.
 */
IsobarStatus isobar_sizes(const struct IsobarScheme *scheme,
                          const struct IsobarRun *run,
                          const char *name,
                          int64_t *sizes,
                          int32_t *dimensions);

/**
 * The name of scheme number `index`, or null where there is none.
 */
const char *isobar_scheme_name(size_t index);

/**
 * Makes a scheme, and puts it into `scheme`: null where it fails.
 *
 * # Safety
 * The pointers are null or to what they should be.
 */
IsobarStatus isobar_create(const struct IsobarSetup *setup, struct IsobarScheme **scheme);

/**
 * Gives a scheme back; nothing where it is null.
 *
 * # Safety
 * `scheme` is null or of `isobar_create`, given back for the first time, and no other thread uses it.
 */
void isobar_destroy(struct IsobarScheme *scheme);

/**
 * The number of inputs of a scheme, or of its outputs; 0 for no scheme.
 *
 * # Safety
 * `scheme` is null or of `isobar_create`.
 */
size_t isobar_field_count(const struct IsobarScheme *scheme, int32_t outputs);

/**
 * What a scheme says of input number `index`, or of an output.
 *
 * # Safety
 * The pointers are null or to what they should be.
 */
IsobarStatus isobar_describe(const struct IsobarScheme *scheme,
                             int32_t outputs,
                             size_t index,
                             struct IsobarField *field);

/**
 * What options, a JSON text or null, make of input number `index`: 2 it is needed, 1 it may be given, 0 it is not
 * read; or a negative status.
 *
 * # Safety
 * The pointers are null or to what they should be.
 */
int32_t isobar_need(const struct IsobarScheme *scheme, const char *options, size_t index);

/**
 * What the files of a scheme say, such as the names of species, as a JSON text that lives as long as the scheme; null
 * for no scheme.
 *
 * # Safety
 * `scheme` is null or of `isobar_create`.
 */
const char *isobar_facts(const struct IsobarScheme *scheme);

/**
 * All options with what they are unless they are given, as a JSON text that lives as long as the scheme; null for no
 * scheme. An option that is null has to be given. In a group, an object among the options as `options` of chemistry,
 * null is what need not be given, and is off or follows from the others. What a group has may be given by its own
 * name, once.
 *
 * # Safety
 * `scheme` is null or of `isobar_create`.
 */
const char *isobar_defaults(const struct IsobarScheme *scheme);

/**
 * Copies the message of the calling thread's last failure to `message`, as far as it fits into `size` bytes with the 0
 * at its end, and returns its length without that. `message` may be null: then the length alone is the answer.
 *
 * # Safety
 * `message` is null or has room for `size` bytes.
 */
size_t isobar_last_error(char *message, size_t size);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ISOBAR_H */
