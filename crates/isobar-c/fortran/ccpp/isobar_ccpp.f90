! What Isobar's schemes of the CCPP share: how they begin, and what they write as JSON.
module isobar_ccpp
  use, intrinsic :: ieee_arithmetic, only: ieee_is_finite
  use ccpp_kind_types, only: kind_phys
  use isobar, only: isobar_scheme
  implicit none
  private
  public :: begin_scheme, check_constants, check_ratio, flag, put_number, text

  ! Constants that follow from others have to do so within this relative distance: single precision has few digits.
  real(kind_phys), parameter :: same_constant = 1.0e-5_kind_phys

contains

  ! Makes a scheme, unless it is there. The environment variable ISOBAR_DEVICES says where columns are computed:
  ! `thread`, which is the calling thread and the default, `cpu` for all threads, `cuda`, ...
  subroutine begin_scheme(scheme, name, caller, errmsg, errflg)
    type(isobar_scheme), intent(inout) :: scheme
    character(*), intent(in) :: name, caller
    character(*), intent(out) :: errmsg
    integer, intent(out) :: errflg
    character(64) :: devices

    call get_environment_variable('ISOBAR_DEVICES', devices)
    if (devices == '') devices = 'thread'
    errmsg = caller // ' OK'
    errflg = 0
    if (scheme%is_created()) return
    call scheme%create(name, kind_phys, devices=devices, stat=errflg, errmsg=errmsg)
    if (errflg /= 0) errflg = 1
  end subroutine begin_scheme

  ! Constants are finite, and none is 0: others are what they divide. They are looked at before they are computed with,
  ! for hosts that trap invalid operations and divisions by zero.
  subroutine check_constants(caller, names, values, errmsg, errflg)
    character(*), intent(in) :: caller, names(:)
    real(kind_phys), intent(in) :: values(:)
    character(*), intent(out) :: errmsg
    integer, intent(out) :: errflg
    character(16) :: digits
    integer :: i

    errmsg = ''
    errflg = 0
    do i = 1, size(values)
      if (ieee_is_finite(values(i))) then
        if (abs(values(i)) > 0) cycle
      end if
      write (digits, '(g0.7)') values(i)
      errmsg = caller // ': the constant ' // trim(names(i)) // ' is ' // trim(adjustl(digits)) // &
        ', which is not a finite number other than 0'
      errflg = 1
      return
    end do
  end subroutine check_constants

  ! A constant that follows from others has to: it would be computed, in silence.
  subroutine check_ratio(caller, name, given, formula, wanted, errmsg, errflg)
    character(*), intent(in) :: caller, name, formula
    real(kind_phys), intent(in) :: given, wanted
    character(*), intent(out) :: errmsg
    integer, intent(out) :: errflg

    ! The caller's text may be shorter than the message.
    character(256) :: message

    errmsg = ''
    errflg = 0
    if (ieee_is_finite(given)) then
      if (abs(given - wanted) <= same_constant * abs(wanted)) return
    end if
    write (message, '(4a, es16.8, 3a, es16.8)') caller, ': the constant ', name, ' is', given, ', and ', formula, &
      ' is', wanted
    errmsg = message
    errflg = 1
  end subroutine check_ratio

  ! A flag as JSON, and a blank.
  function flag(is_set) result(word)
    logical, intent(in) :: is_set
    character(5) :: word
    word = merge('true ', 'false', is_set)
  end function flag

  ! A number as JSON, all of its digits.
  function text(value) result(word)
    real(kind_phys), intent(in) :: value
    character(24) :: word
    write (word, '(es24.16e3)') value
  end function text

  ! Puts a number into an object, after other entries.
  subroutine put_number(object, name, value)
    character(*), intent(inout) :: object
    character(*), intent(in) :: name
    real(kind_phys), intent(in) :: value
    object = trim(object) // ', "' // name // '": ' // text(value)
  end subroutine put_number

end module isobar_ccpp
