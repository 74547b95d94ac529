! Calls INTEGRATE as KPP's drivers do, for cells of the first file until it ends, and writes what becomes of them to the
! second one.
program kpp_driver
  use, intrinsic :: iso_fortran_env, only: int32, real64
  use KPP_ROOT_Global
  use KPP_ROOT_Integrator, only: INTEGRATE
  implicit none
  integer(int32) :: icntrl(20)
  real(real64) :: rcntrl(20), interval(2), place(3)
  integer :: in, out, status, istatus(20), ierr
  real(dp) :: rstatus(20)
  character(512) :: path

  call get_command_argument(1, path)
  open (newunit=in, file=path, access='stream', status='old')
  call get_command_argument(2, path)
  open (newunit=out, file=path, access='stream', status='replace')
  do
    read (in, iostat=status) icntrl, rcntrl, interval, place, ATOL, RTOL, C, RCONST
    if (status /= 0) exit
    TEMP = place(1)
    CFACTOR = place(2)
    SUN = place(3)
    TIME = interval(1)
    call INTEGRATE(TIN=interval(1), TOUT=interval(2), ICNTRL_U=int(icntrl), RCNTRL_U=rcntrl, ISTATUS_U=istatus, &
      RSTATUS_U=rstatus, IERR_U=ierr)
    write (out) C, real(istatus(1:8), real64), rstatus(1:4), real(ierr, real64)
  end do
end program kpp_driver
