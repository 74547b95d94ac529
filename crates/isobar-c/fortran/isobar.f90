! Isobar from Fortran: schemes by name, arrays by the names of their fields.
!
!   use isobar
!   type(isobar_scheme) :: ysu
!   type(isobar_arrays) :: inputs, outputs
!   call ysu%create('ysu', real64, devices='thread')
!   call inputs%add('u_m_per_s', u)                        ! u(columns, layers)
!   call outputs%add('u_tendency_m_per_s2', dudt)
!   call ysu%run(inputs, outputs, '{"time_step_s": 60}')
!
! Arrays are used in place, whatever their strides, and have to live, as targets, until `run` is done. Their dimensions
! come in the order of Fortran's memory: columns first, then the declared dimensions from the last to the first, so that
! a field of layers and bands is a(columns, bands, layers); `order`, a permutation of the dimensions, says otherwise.
!
! Every procedure that can fail has `stat` and `errmsg`: without `stat` an error ends the program with its message. What
! is wrong with an `add` is told by the `run` or `sizes` that has its arrays.
! A scheme may be run by many threads at once, each with arrays of its own. No function here or in the drop-ins has a
! result of deferred length: gfortran keeps the length of such a result in a static variable, which all threads share.
module isobar
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_double, c_f_pointer, c_funptr, c_int32_t, &
    c_int64_t, c_intptr_t, c_loc, c_null_char, c_null_funptr, c_null_ptr, c_ptr, c_size_t
  use, intrinsic :: iso_fortran_env, only: error_unit, int32, int64, real32, real64
  implicit none
  private

  public :: isobar_scheme, isobar_arrays, isobar_field
  public :: isobar_names
  public :: isobar_abi_version, isobar_name_length
  public :: isobar_ok, isobar_flagged
  public :: real32, real64, int32

  ! The version of the library's interface that this module is for.
  integer(c_int32_t), parameter :: isobar_abi_version = 1
  ! No name of a field, a dimension or a unit is longer.
  integer, parameter :: isobar_name_length = 80
  ! What `stat` is after success, and where items were flagged (`"bad_items": "flag"`). Errors are negative: see
  ! isobar.h.
  integer, parameter :: isobar_ok = 0, isobar_flagged = 1

  integer(c_int32_t), parameter :: kind_f32 = 1, kind_f64 = 2, kind_word = 3
  integer, parameter :: most_dimensions = 8, message_length = 1024
  integer, parameter :: wrong_version = -2, wrong_value = -5

  type, bind(c) :: c_array
    integer(c_int32_t) :: version, kind, device, dimensions
    type(c_ptr) :: name, data, sizes, strides
  end type c_array

  type, bind(c) :: c_setup
    integer(c_int32_t) :: version, precision
    type(c_ptr) :: scheme, device, json
  end type c_setup

  type, bind(c) :: c_run
    integer(c_int32_t) :: version, items_first, top_first, reserved
    type(c_ptr) :: options, inputs
    integer(c_size_t) :: input_count
    type(c_ptr) :: outputs
    integer(c_size_t) :: output_count
    type(c_funptr) :: progress
    type(c_ptr) :: context
  end type c_run

  type, bind(c) :: c_field
    integer(c_int32_t) :: version, kind, dimensions, required
    type(c_ptr) :: name, unit, doc, accepted, dimension(most_dimensions)
    real(c_double) :: lowest, highest
    type(c_ptr) :: standard_names, aliases
  end type c_field

  ! An array under the name of a field.
  type :: named_array
    character(:, kind=c_char), allocatable :: name
    integer(c_int32_t) :: kind = 0, device = -1, dimensions = 0
    integer(c_int64_t) :: sizes(most_dimensions) = 0, strides(most_dimensions) = 0
    type(c_ptr) :: data = c_null_ptr
  end type named_array

  ! Arrays for the fields of a scheme, one after the other by `add`; `clear` begins anew.
  type :: isobar_arrays
    private
    type(named_array), allocatable :: list(:)
    integer :: count = 0
    ! What was first wrong with them.
    character(:), allocatable :: problem
  contains
    procedure :: clear
    procedure :: add_device
    generic :: add => add_r32_1, add_r32_2, add_r32_3, add_r32_4, add_r64_1, add_r64_2, add_r64_3, add_r64_4, &
      add_i32_1, add_i32_2, add_i32_3, add_i32_4
    procedure, private :: add_r32_1, add_r32_2, add_r32_3, add_r32_4, add_r64_1, add_r64_2, add_r64_3, add_r64_4, &
      add_i32_1, add_i32_2, add_i32_3, add_i32_4
  end type isobar_arrays

  ! What a scheme says of a field.
  type :: isobar_field
    character(isobar_name_length) :: name = '', unit = ''
    ! The accepted range in words, and a line of documentation.
    character(256) :: accepted = '', doc = ''
    ! The dimensions besides the items, the slowest first.
    character(isobar_name_length), allocatable :: dimensions(:)
    ! The ends of the accepted range.
    real(real64) :: lowest = 0, highest = 0
    logical :: required = .false.
    ! Words of 32 bits: counts, indices, statuses, masks; otherwise reals.
    logical :: is_word = .false.
  end type isobar_field

  ! A scheme on devices, with its tables.
  type :: isobar_scheme
    private
    type(c_ptr) :: handle = c_null_ptr
  contains
    ! Makes it; `destroy` gives it back. No two variables own one scheme: do not assign it.
    procedure :: create
    procedure :: destroy
    procedure :: is_created
    procedure :: run
    procedure :: inputs => input_fields
    procedure :: outputs => output_fields
    procedure :: sizes
    procedure :: facts
  end type isobar_scheme

  interface
    integer(c_int32_t) function c_version() bind(c, name='isobar_version')
      import :: c_int32_t
    end function c_version
    integer(c_int32_t) function c_create(setup, scheme) bind(c, name='isobar_create')
      import :: c_int32_t, c_ptr, c_setup
      type(c_setup), intent(in) :: setup
      type(c_ptr), intent(out) :: scheme
    end function c_create
    subroutine c_destroy(scheme) bind(c, name='isobar_destroy')
      import :: c_ptr
      type(c_ptr), value :: scheme
    end subroutine c_destroy
    integer(c_int32_t) function c_run_scheme(scheme, run) bind(c, name='isobar_run')
      import :: c_int32_t, c_ptr, c_run
      type(c_ptr), value :: scheme
      type(c_run), intent(in) :: run
    end function c_run_scheme
    integer(c_size_t) function c_field_count(scheme, outputs) bind(c, name='isobar_field_count')
      import :: c_int32_t, c_ptr, c_size_t
      type(c_ptr), value :: scheme
      integer(c_int32_t), value :: outputs
    end function c_field_count
    integer(c_int32_t) function c_describe(scheme, outputs, index, field) bind(c, name='isobar_describe')
      import :: c_field, c_int32_t, c_ptr, c_size_t
      type(c_ptr), value :: scheme
      integer(c_int32_t), value :: outputs
      integer(c_size_t), value :: index
      type(c_field), intent(inout) :: field
    end function c_describe
    integer(c_int32_t) function c_sizes(scheme, run, name, sizes, dimensions) bind(c, name='isobar_sizes')
      import :: c_char, c_int32_t, c_int64_t, c_ptr, c_run
      type(c_ptr), value :: scheme
      type(c_run), intent(in) :: run
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), intent(out) :: sizes(*)
      integer(c_int32_t), intent(out) :: dimensions
    end function c_sizes
    integer(c_size_t) function c_last_error(message, size) bind(c, name='isobar_last_error')
      import :: c_char, c_size_t
      character(kind=c_char), intent(inout) :: message(*)
      integer(c_size_t), value :: size
    end function c_last_error
    pure type(c_ptr) function c_facts(scheme) bind(c, name='isobar_facts')
      import :: c_ptr
      type(c_ptr), value :: scheme
    end function c_facts
    pure integer(c_size_t) function c_length(text) bind(c, name='strlen')
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
    end function c_length
  end interface

contains

  ! Makes a scheme in a precision (real32 or real64) on devices: 'thread' (the calling thread, the default unless
  ! `setup` names another), 'cpu' (all threads), 'cuda', 'cuda:1', 'cuda:all'. `setup` is a JSON text with what else
  ! isobar.h says of a setup, as in '{"tables": {"mechanism": "small_strato.kpp"}}'.
  subroutine create(self, scheme, precision, setup, devices, stat, errmsg)
    class(isobar_scheme), intent(inout) :: self
    character(*), intent(in) :: scheme
    integer, intent(in) :: precision
    character(*), intent(in), optional :: setup, devices
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(:, kind=c_char), allocatable, target :: name, device, json
    type(c_setup) :: description
    integer(c_int32_t) :: status

    if (c_version() /= isobar_abi_version) then
      call answer(wrong_version, 'module isobar and the library that it is linked with are of different versions', &
        stat, errmsg)
      return
    end if
    call self%destroy()
    if (precision /= real32 .and. precision /= real64) then
      call answer(wrong_value, 'a scheme is made with precision real32 or real64, and not ' // &
        trim(decimal(precision)), &
        stat, errmsg)
      return
    end if
    name = trim(scheme) // c_null_char
    device = 'thread' // c_null_char
    if (present(devices)) device = trim(devices) // c_null_char
    json = '{}' // c_null_char
    if (present(setup)) json = trim(setup) // c_null_char
    description%version = isobar_abi_version
    description%precision = 64
    if (precision == real32) description%precision = 32
    description%scheme = c_loc(name)
    description%device = c_loc(device)
    if (.not. present(devices) .and. index(json, '"device"') > 0) description%device = c_null_ptr
    description%json = c_loc(json)
    status = c_create(description, self%handle)
    call answer_of(status, stat, errmsg)
  end subroutine create

  ! Gives the scheme back; nothing where there is none.
  subroutine destroy(self)
    class(isobar_scheme), intent(inout) :: self
    call c_destroy(self%handle)
    self%handle = c_null_ptr
  end subroutine destroy

  logical function is_created(self)
    class(isobar_scheme), intent(in) :: self
    is_created = c_associated(self%handle)
  end function is_created

  ! Computes the outputs from the inputs. `options` is a JSON text. Layers go as the scheme has them, unless `top_first`
  ! says whether they go from the top down.
  subroutine run(self, inputs, outputs, options, stat, errmsg, top_first)
    class(isobar_scheme), intent(in) :: self
    type(isobar_arrays), intent(in), target :: inputs, outputs
    character(*), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    logical, intent(in), optional :: top_first
    type(c_array), allocatable, target :: in(:), out(:)
    character(:, kind=c_char), allocatable, target :: json
    type(c_run) :: description

    if (are_wrong(inputs, stat, errmsg)) return
    if (are_wrong(outputs, stat, errmsg)) return
    call describe_run(inputs, outputs, options, top_first, in, out, json, description)
    call answer_of(c_run_scheme(self%handle, description), stat, errmsg)
  end subroutine run

  ! The sizes that an output has with these inputs and options, in the order of Fortran's memory.
  subroutine sizes(self, inputs, name, shape, options, stat, errmsg)
    class(isobar_scheme), intent(in) :: self
    type(isobar_arrays), intent(in), target :: inputs
    character(*), intent(in) :: name
    integer, allocatable, intent(out) :: shape(:)
    character(*), intent(in), optional :: options
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(isobar_arrays), target :: none
    type(c_array), allocatable, target :: in(:), out(:)
    character(:, kind=c_char), allocatable, target :: json
    type(c_run) :: description
    integer(c_int64_t) :: found(most_dimensions)
    integer(c_int32_t) :: status, dimensions

    allocate (shape(0))
    if (are_wrong(inputs, stat, errmsg)) return
    call describe_run(inputs, none, options, in=in, out=out, json=json, description=description)
    dimensions = 0
    status = c_sizes(self%handle, description, trim(name) // c_null_char, found, dimensions)
    shape = int(found(dimensions:1:-1))
    call answer_of(status, stat, errmsg)
  end subroutine sizes

  ! What goes in.
  function input_fields(self) result(fields)
    class(isobar_scheme), intent(in) :: self
    type(isobar_field), allocatable :: fields(:)
    fields = described(self%handle, 0)
  end function input_fields

  ! What comes out.
  function output_fields(self) result(fields)
    class(isobar_scheme), intent(in) :: self
    type(isobar_field), allocatable :: fields(:)
    fields = described(self%handle, 1)
  end function output_fields

  ! What the files of the scheme say, such as the names of species, as a JSON text: see isobar_names.
  function facts(self)
    class(isobar_scheme), intent(in) :: self
    character(length_of(c_facts(self%handle))) :: facts
    facts = text(c_facts(self%handle))
  end function facts

  ! The names in a list of a JSON text, `"key": ["A", "B"]`, or, where it is a list of objects, what each has under
  ! `entry`, unless this is given its `name`.
  function isobar_names(json, key, entry) result(names)
    character(*), intent(in) :: json, key
    character(*), intent(in), optional :: entry
    character(isobar_name_length), allocatable :: names(:)
    character(:), allocatable :: before
    integer :: at, pass, count, first, depth
    logical :: is_list, is_name

    before = '"name":'
    if (present(entry)) before = '"' // trim(entry) // '":'
    do pass = 1, 2
      count = 0
      at = index(json, '"' // trim(key) // '":[') + len_trim(key) + 4
      is_list = at > len_trim(key) + 4
      depth = 1
      do while (is_list .and. depth > 0 .and. at <= len(json))
        select case (json(at:at))
        case ('[', '{')
          depth = depth + 1
        case (']', '}')
          depth = depth - 1
        case ('"')
          first = at + 1
          at = first
          do while (json(at:at) /= '"')
            if (json(at:at) == '\') at = at + 1
            at = at + 1
          end do
          is_name = depth == 1 .or. json(max(first - 1 - len(before), 1):first - 2) == before
          if (is_name .and. json(at + 1:at + 1) /= ':') then
            count = count + 1
            if (pass == 2) names(count) = json(first:at - 1)
          end if
        end select
        at = at + 1
      end do
      if (pass == 1) allocate (names(count))
    end do
  end function isobar_names

  function described(handle, outputs) result(fields)
    type(c_ptr), intent(in) :: handle
    integer, intent(in) :: outputs
    type(isobar_field), allocatable :: fields(:)
    type(c_field) :: field
    integer :: i, d

    allocate (fields(c_field_count(handle, int(outputs, c_int32_t))))
    do i = 1, size(fields)
      field%version = isobar_abi_version
      if (c_describe(handle, int(outputs, c_int32_t), int(i - 1, c_size_t), field) /= isobar_ok) exit
      fields(i)%name = text(field%name)
      fields(i)%unit = text(field%unit)
      fields(i)%doc = text(field%doc)
      fields(i)%accepted = text(field%accepted)
      fields(i)%lowest = field%lowest
      fields(i)%highest = field%highest
      fields(i)%required = field%required /= 0
      fields(i)%is_word = field%kind == kind_word
      allocate (fields(i)%dimensions(field%dimensions))
      do d = 1, field%dimensions
        fields(i)%dimensions(d) = text(field%dimension(d))
      end do
    end do
  end function described

  subroutine describe_run(inputs, outputs, options, top_first, in, out, json, description)
    type(isobar_arrays), intent(in), target :: inputs, outputs
    character(*), intent(in), optional :: options
    logical, intent(in), optional :: top_first
    type(c_array), allocatable, target, intent(out) :: in(:), out(:)
    character(:, kind=c_char), allocatable, target, intent(out) :: json
    type(c_run), intent(out) :: description

    json = '{}' // c_null_char
    if (present(options)) json = trim(options) // c_null_char
    in = as_c(inputs)
    out = as_c(outputs)
    description = c_run(isobar_abi_version, 0, -1, 0, c_loc(json), address(in), int(inputs%count, c_size_t), &
      address(out), int(outputs%count, c_size_t), c_null_funptr, c_null_ptr)
    if (present(top_first)) description%top_first = merge(1, 0, top_first)
  end subroutine describe_run

  function address(arrays)
    type(c_array), intent(in), target :: arrays(:)
    type(c_ptr) :: address
    address = c_null_ptr
    if (size(arrays) > 0) address = c_loc(arrays(1))
  end function address

  function as_c(arrays) result(list)
    type(isobar_arrays), intent(in), target :: arrays
    type(c_array), allocatable :: list(:)
    integer :: i

    allocate (list(arrays%count))
    do i = 1, arrays%count
      associate (array => arrays%list(i))
        list(i) = c_array(isobar_abi_version, array%kind, array%device, array%dimensions, c_loc(array%name), &
          array%data, c_loc(array%sizes), c_loc(array%strides))
      end associate
    end do
  end function as_c

  ! Forgets all arrays.
  subroutine clear(self)
    class(isobar_arrays), intent(inout) :: self
    self%count = 0
    if (allocated(self%problem)) deallocate (self%problem)
  end subroutine clear

  ! Keeps what was first wrong.
  subroutine note(self, problem)
    class(isobar_arrays), intent(inout) :: self
    character(*), intent(in) :: problem
    if (.not. allocated(self%problem)) self%problem = problem
  end subroutine note

  ! Was something wrong with an `add`? It is told.
  logical function are_wrong(arrays, stat, errmsg)
    type(isobar_arrays), intent(in) :: arrays
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    are_wrong = allocated(arrays%problem)
    if (are_wrong) call answer(wrong_value, arrays%problem, stat, errmsg)
  end function are_wrong

  ! The digits of a number, and blanks.
  function decimal(number)
    integer, intent(in) :: number
    character(12) :: decimal
    write (decimal, '(i0)') number
  end function decimal

  ! An array in a GPU's memory: its address, its sizes and strides (in elements) in the order of Fortran's memory, and
  ! the number of the GPU. `precision` is real32 or real64, or 0 for words of 32 bits.
  subroutine add_device(self, name, address, precision, sizes, strides, device, order)
    class(isobar_arrays), intent(inout) :: self
    character(*), intent(in) :: name
    type(c_ptr), intent(in) :: address
    integer, intent(in) :: precision, sizes(:), strides(:), device
    integer, intent(in), optional :: order(:)
    integer(c_int32_t) :: kind

    select case (precision)
    case (real32)
      kind = kind_f32
    case (real64)
      kind = kind_f64
    case (0)
      kind = kind_word
    case default
      call note(self, trim(name) // ': add_device takes real32, real64 or, for words, 0 for a precision, and not ' // &
        trim(decimal(precision)))
      return
    end select
    if (size(sizes) /= size(strides) .or. size(sizes) > most_dimensions) then
      call note(self, trim(name) // ': add_device takes as many strides as sizes, at most ' // &
        trim(decimal(most_dimensions)))
      return
    end if
    call put(self, name, kind, address, int(sizes, c_int64_t), int(strides, c_int64_t), order)
    if (.not. allocated(self%problem)) self%list(self%count)%device = int(device, c_int32_t)
  end subroutine add_device

  ! Puts an array into the list, its dimensions turned into the order of C: the items last.
  subroutine put(self, name, kind, address, sizes, strides, order)
    class(isobar_arrays), intent(inout) :: self
    character(*), intent(in) :: name
    integer(c_int32_t), intent(in) :: kind
    type(c_ptr), intent(in) :: address
    integer(c_int64_t), intent(in) :: sizes(:), strides(:)
    integer, intent(in), optional :: order(:)
    type(named_array), allocatable :: longer(:)
    integer :: d, n, from

    n = size(sizes)
    if (present(order)) then
      if (.not. is_permutation(order, n)) then
        call note(self, trim(name) // ': order is no permutation of 1 to ' // trim(decimal(n)))
        return
      end if
    end if
    if (.not. allocated(self%list)) allocate (self%list(32))
    if (self%count == size(self%list)) then
      allocate (longer(2 * self%count))
      longer(:self%count) = self%list
      call move_alloc(longer, self%list)
    end if
    self%count = self%count + 1
    associate (array => self%list(self%count))
      array%name = trim(name) // c_null_char
      array%kind = kind
      array%device = -1
      array%dimensions = n
      array%data = address
      do d = 1, n
        from = n + 1 - d
        if (present(order)) from = order(from)
        array%sizes(d) = sizes(from)
        array%strides(d) = strides(from)
      end do
    end associate
  end subroutine put

  ! Does the list have each number from 1 to n once?
  logical function is_permutation(list, n)
    integer, intent(in) :: list(:), n
    integer :: i
    is_permutation = size(list) == n .and. all([(any(list == i), i = 1, n)])
  end function is_permutation

  ! The distance of two elements in elements of a given number of bytes.
  integer(c_int64_t) function distance(from, to, bytes)
    type(c_ptr), intent(in) :: from, to
    integer, intent(in) :: bytes
    integer(c_intptr_t) :: addresses(2)
    addresses = [transfer(from, 0_c_intptr_t), transfer(to, 0_c_intptr_t)]
    distance = (addresses(2) - addresses(1)) / bytes
  end function distance

  ! A C string.
  function text(address)
    type(c_ptr), intent(in) :: address
    character(length_of(address)) :: text
    character(kind=c_char), pointer :: characters(:)
    integer :: i

    if (.not. c_associated(address)) return
    call c_f_pointer(address, characters, [len(text)])
    do i = 1, len(text)
      text(i:i) = characters(i)
    end do
  end function text

  ! How many characters a C string has; none where there is no string.
  pure integer function length_of(address)
    type(c_ptr), intent(in) :: address
    length_of = 0
    if (c_associated(address)) length_of = int(c_length(address))
  end function length_of

  ! Tells the caller what became of a call to the library.
  subroutine answer_of(status, stat, errmsg)
    integer(c_int32_t), intent(in) :: status
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(kind=c_char) :: characters(message_length)
    character(message_length) :: message
    integer :: i

    message = ''
    if (status /= isobar_ok) then
      do i = 1, int(min(c_last_error(characters, int(message_length, c_size_t)), int(message_length, c_size_t)))
        if (characters(i) == c_null_char) exit
        message(i:i) = characters(i)
      end do
    end if
    call answer(int(status), message, stat, errmsg)
  end subroutine answer_of

  subroutine answer(status, message, stat, errmsg)
    integer, intent(in) :: status
    character(*), intent(in) :: message
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    if (present(stat)) stat = status
    if (status == isobar_ok) return
    if (present(errmsg)) errmsg = message
    if (status < isobar_ok .and. .not. present(stat)) then
      write (error_unit, '(2a)') 'isobar: ', trim(message)
      error stop 1
    end if
  end subroutine answer

  subroutine add_r32_1(self, name, a, order)
    class(isobar_arrays), intent(inout) :: self
    character(*), intent(in) :: name
    real(real32), intent(in), target :: a(:)
    integer, intent(in), optional :: order(:)
    type(c_ptr) :: first
    integer(c_int64_t) :: strides(1)

    first = c_null_ptr
    strides = 0
    if (size(a) > 0) first = c_loc(a(1))
    if (size(a) > 0 .and. size(a, 1) > 1) strides(1) = distance(first, c_loc(a(2)), 4)
    call put(self, name, kind_f32, first, shape(a, c_int64_t), strides, order)
  end subroutine add_r32_1

  subroutine add_r32_2(self, name, a, order)
    class(isobar_arrays), intent(inout) :: self
    character(*), intent(in) :: name
    real(real32), intent(in), target :: a(:, :)
    integer, intent(in), optional :: order(:)
    type(c_ptr) :: first
    integer(c_int64_t) :: strides(2)

    first = c_null_ptr
    strides = 0
    if (size(a) > 0) first = c_loc(a(1, 1))
    if (size(a) > 0 .and. size(a, 1) > 1) strides(1) = distance(first, c_loc(a(2, 1)), 4)
    if (size(a) > 0 .and. size(a, 2) > 1) strides(2) = distance(first, c_loc(a(1, 2)), 4)
    call put(self, name, kind_f32, first, shape(a, c_int64_t), strides, order)
  end subroutine add_r32_2

  subroutine add_r32_3(self, name, a, order)
    class(isobar_arrays), intent(inout) :: self
    character(*), intent(in) :: name
    real(real32), intent(in), target :: a(:, :, :)
    integer, intent(in), optional :: order(:)
    type(c_ptr) :: first
    integer(c_int64_t) :: strides(3)

    first = c_null_ptr
    strides = 0
    if (size(a) > 0) first = c_loc(a(1, 1, 1))
    if (size(a) > 0 .and. size(a, 1) > 1) strides(1) = distance(first, c_loc(a(2, 1, 1)), 4)
    if (size(a) > 0 .and. size(a, 2) > 1) strides(2) = distance(first, c_loc(a(1, 2, 1)), 4)
    if (size(a) > 0 .and. size(a, 3) > 1) strides(3) = distance(first, c_loc(a(1, 1, 2)), 4)
    call put(self, name, kind_f32, first, shape(a, c_int64_t), strides, order)
  end subroutine add_r32_3

  subroutine add_r32_4(self, name, a, order)
    class(isobar_arrays), intent(inout) :: self
    character(*), intent(in) :: name
    real(real32), intent(in), target :: a(:, :, :, :)
    integer, intent(in), optional :: order(:)
    type(c_ptr) :: first
    integer(c_int64_t) :: strides(4)

    first = c_null_ptr
    strides = 0
    if (size(a) > 0) first = c_loc(a(1, 1, 1, 1))
    if (size(a) > 0 .and. size(a, 1) > 1) strides(1) = distance(first, c_loc(a(2, 1, 1, 1)), 4)
    if (size(a) > 0 .and. size(a, 2) > 1) strides(2) = distance(first, c_loc(a(1, 2, 1, 1)), 4)
    if (size(a) > 0 .and. size(a, 3) > 1) strides(3) = distance(first, c_loc(a(1, 1, 2, 1)), 4)
    if (size(a) > 0 .and. size(a, 4) > 1) strides(4) = distance(first, c_loc(a(1, 1, 1, 2)), 4)
    call put(self, name, kind_f32, first, shape(a, c_int64_t), strides, order)
  end subroutine add_r32_4

  subroutine add_r64_1(self, name, a, order)
    class(isobar_arrays), intent(inout) :: self
    character(*), intent(in) :: name
    real(real64), intent(in), target :: a(:)
    integer, intent(in), optional :: order(:)
    type(c_ptr) :: first
    integer(c_int64_t) :: strides(1)

    first = c_null_ptr
    strides = 0
    if (size(a) > 0) first = c_loc(a(1))
    if (size(a) > 0 .and. size(a, 1) > 1) strides(1) = distance(first, c_loc(a(2)), 8)
    call put(self, name, kind_f64, first, shape(a, c_int64_t), strides, order)
  end subroutine add_r64_1

  subroutine add_r64_2(self, name, a, order)
    class(isobar_arrays), intent(inout) :: self
    character(*), intent(in) :: name
    real(real64), intent(in), target :: a(:, :)
    integer, intent(in), optional :: order(:)
    type(c_ptr) :: first
    integer(c_int64_t) :: strides(2)

    first = c_null_ptr
    strides = 0
    if (size(a) > 0) first = c_loc(a(1, 1))
    if (size(a) > 0 .and. size(a, 1) > 1) strides(1) = distance(first, c_loc(a(2, 1)), 8)
    if (size(a) > 0 .and. size(a, 2) > 1) strides(2) = distance(first, c_loc(a(1, 2)), 8)
    call put(self, name, kind_f64, first, shape(a, c_int64_t), strides, order)
  end subroutine add_r64_2

  subroutine add_r64_3(self, name, a, order)
    class(isobar_arrays), intent(inout) :: self
    character(*), intent(in) :: name
    real(real64), intent(in), target :: a(:, :, :)
    integer, intent(in), optional :: order(:)
    type(c_ptr) :: first
    integer(c_int64_t) :: strides(3)

    first = c_null_ptr
    strides = 0
    if (size(a) > 0) first = c_loc(a(1, 1, 1))
    if (size(a) > 0 .and. size(a, 1) > 1) strides(1) = distance(first, c_loc(a(2, 1, 1)), 8)
    if (size(a) > 0 .and. size(a, 2) > 1) strides(2) = distance(first, c_loc(a(1, 2, 1)), 8)
    if (size(a) > 0 .and. size(a, 3) > 1) strides(3) = distance(first, c_loc(a(1, 1, 2)), 8)
    call put(self, name, kind_f64, first, shape(a, c_int64_t), strides, order)
  end subroutine add_r64_3

  subroutine add_r64_4(self, name, a, order)
    class(isobar_arrays), intent(inout) :: self
    character(*), intent(in) :: name
    real(real64), intent(in), target :: a(:, :, :, :)
    integer, intent(in), optional :: order(:)
    type(c_ptr) :: first
    integer(c_int64_t) :: strides(4)

    first = c_null_ptr
    strides = 0
    if (size(a) > 0) first = c_loc(a(1, 1, 1, 1))
    if (size(a) > 0 .and. size(a, 1) > 1) strides(1) = distance(first, c_loc(a(2, 1, 1, 1)), 8)
    if (size(a) > 0 .and. size(a, 2) > 1) strides(2) = distance(first, c_loc(a(1, 2, 1, 1)), 8)
    if (size(a) > 0 .and. size(a, 3) > 1) strides(3) = distance(first, c_loc(a(1, 1, 2, 1)), 8)
    if (size(a) > 0 .and. size(a, 4) > 1) strides(4) = distance(first, c_loc(a(1, 1, 1, 2)), 8)
    call put(self, name, kind_f64, first, shape(a, c_int64_t), strides, order)
  end subroutine add_r64_4

  subroutine add_i32_1(self, name, a, order)
    class(isobar_arrays), intent(inout) :: self
    character(*), intent(in) :: name
    integer(int32), intent(in), target :: a(:)
    integer, intent(in), optional :: order(:)
    type(c_ptr) :: first
    integer(c_int64_t) :: strides(1)

    first = c_null_ptr
    strides = 0
    if (size(a) > 0) first = c_loc(a(1))
    if (size(a) > 0 .and. size(a, 1) > 1) strides(1) = distance(first, c_loc(a(2)), 4)
    call put(self, name, kind_word, first, shape(a, c_int64_t), strides, order)
  end subroutine add_i32_1

  subroutine add_i32_2(self, name, a, order)
    class(isobar_arrays), intent(inout) :: self
    character(*), intent(in) :: name
    integer(int32), intent(in), target :: a(:, :)
    integer, intent(in), optional :: order(:)
    type(c_ptr) :: first
    integer(c_int64_t) :: strides(2)

    first = c_null_ptr
    strides = 0
    if (size(a) > 0) first = c_loc(a(1, 1))
    if (size(a) > 0 .and. size(a, 1) > 1) strides(1) = distance(first, c_loc(a(2, 1)), 4)
    if (size(a) > 0 .and. size(a, 2) > 1) strides(2) = distance(first, c_loc(a(1, 2)), 4)
    call put(self, name, kind_word, first, shape(a, c_int64_t), strides, order)
  end subroutine add_i32_2

  subroutine add_i32_3(self, name, a, order)
    class(isobar_arrays), intent(inout) :: self
    character(*), intent(in) :: name
    integer(int32), intent(in), target :: a(:, :, :)
    integer, intent(in), optional :: order(:)
    type(c_ptr) :: first
    integer(c_int64_t) :: strides(3)

    first = c_null_ptr
    strides = 0
    if (size(a) > 0) first = c_loc(a(1, 1, 1))
    if (size(a) > 0 .and. size(a, 1) > 1) strides(1) = distance(first, c_loc(a(2, 1, 1)), 4)
    if (size(a) > 0 .and. size(a, 2) > 1) strides(2) = distance(first, c_loc(a(1, 2, 1)), 4)
    if (size(a) > 0 .and. size(a, 3) > 1) strides(3) = distance(first, c_loc(a(1, 1, 2)), 4)
    call put(self, name, kind_word, first, shape(a, c_int64_t), strides, order)
  end subroutine add_i32_3

  subroutine add_i32_4(self, name, a, order)
    class(isobar_arrays), intent(inout) :: self
    character(*), intent(in) :: name
    integer(int32), intent(in), target :: a(:, :, :, :)
    integer, intent(in), optional :: order(:)
    type(c_ptr) :: first
    integer(c_int64_t) :: strides(4)

    first = c_null_ptr
    strides = 0
    if (size(a) > 0) first = c_loc(a(1, 1, 1, 1))
    if (size(a) > 0 .and. size(a, 1) > 1) strides(1) = distance(first, c_loc(a(2, 1, 1, 1)), 4)
    if (size(a) > 0 .and. size(a, 2) > 1) strides(2) = distance(first, c_loc(a(1, 2, 1, 1)), 4)
    if (size(a) > 0 .and. size(a, 3) > 1) strides(3) = distance(first, c_loc(a(1, 1, 2, 1)), 4)
    if (size(a) > 0 .and. size(a, 4) > 1) strides(4) = distance(first, c_loc(a(1, 1, 1, 2)), 4)
    call put(self, name, kind_word, first, shape(a, c_int64_t), strides, order)
  end subroutine add_i32_4

end module isobar
