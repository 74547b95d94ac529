! Calls rrtmg_lw, of whatever modules that are linked, as a host does: on arrays that are wider than the columns and
! layers. Reads cases from the first file until it ends, and writes the results of each to the second one.
program rrtmg_lw_driver
  use, intrinsic :: iso_fortran_env, only: int32, real64
  use parkind, only: im => kind_im, rb => kind_rb
  use rrtmg_lw_init, only: rrtmg_lw_ini
  use rrtmg_lw_rad, only: rrtmg_lw
  implicit none
  integer, parameter :: bands = 16, points = 140
  integer(int32) :: header(9)
  integer(im) :: ncol, nlay, icld
  integer :: in, out, status, repeats, t
  real(real64) :: started, ended
  character(512) :: path

  ! 1004 J/(kg K) is AER's own.
  call rrtmg_lw_ini(1004.0_rb)
  call get_command_argument(1, path)
  open (newunit=in, file=path, access='stream', status='old')
  call get_command_argument(2, path)
  open (newunit=out, file=path, access='stream', status='replace')
  do
    ! Columns, layers, icld, idrv, inflglw, iceflglw, liqflglw, is there aerosol, how often.
    read (in, iostat=status) header
    if (status /= 0) exit
    ncol = header(1)
    nlay = header(2)
    icld = header(3)
    repeats = header(9)
    call compute()
  end do

contains

  subroutine compute()
    real(rb) :: play(ncol + 2, nlay + 1), plev(ncol + 2, nlay + 2), tlay(ncol + 2, nlay + 1), tlev(ncol + 2, nlay + 2)
    real(rb) :: tsfc(ncol + 2), gases(ncol + 2, nlay + 1, 10), emis(ncol + 2, bands)
    real(rb) :: uflx(ncol + 2, nlay + 2), dflx(ncol + 2, nlay + 2), hr(ncol + 2, nlay + 1), uflxc(ncol + 2, nlay + 2)
    real(rb) :: dflxc(ncol + 2, nlay + 2), hrc(ncol + 2, nlay + 1), duflx_dt(ncol + 2, nlay + 2)
    real(rb) :: duflxc_dt(ncol + 2, nlay + 2)
    real(rb), allocatable :: cloud(:, :, :), tau(:, :, :), ice(:, :, :), liquid(:, :, :), ice_size(:, :), radius(:, :)
    real(rb), allocatable :: tauaer(:, :, :)
    integer :: n

    play = -1
    plev = -1
    tlay = -1
    tlev = -1
    gases = -1
    tsfc = -1
    emis = -1
    allocate (cloud(points, ncol, nlay), tau(points, ncol, nlay), ice(points, ncol, nlay), liquid(points, ncol, nlay))
    allocate (ice_size(ncol, nlay), radius(ncol, nlay), tauaer(ncol, nlay, bands))
    cloud = 0
    tau = 0
    ice = 0
    liquid = 0
    ice_size = 0
    radius = 0
    tauaer = 0
    call get(play(2:ncol + 1, :nlay))
    call get(plev(2:ncol + 1, :nlay + 1))
    call get(tlay(2:ncol + 1, :nlay))
    call get(tlev(2:ncol + 1, :nlay + 1))
    call get_1(tsfc(2:ncol + 1))
    ! h2o, o3, co2, ch4, n2o, o2, cfc11, cfc12, cfc22, ccl4.
    do n = 1, 10
      call get(gases(2:ncol + 1, :nlay, n))
    end do
    call get(emis(2:ncol + 1, :))
    if (header(8) /= 0) then
      do n = 1, bands
        call get(tauaer(:, :, n))
      end do
    end if
    if (icld > 0) then
      do n = 1, nlay
        call get(cloud(:, :, n))
      end do
      do n = 1, nlay
        call get(tau(:, :, n))
      end do
      do n = 1, nlay
        call get(ice(:, :, n))
      end do
      do n = 1, nlay
        call get(liquid(:, :, n))
      end do
      call get(ice_size)
      call get(radius)
    end if

    call cpu_time(started)
    do t = 1, repeats
      call rrtmg_lw(ncol, nlay, icld, int(header(4), im), play(2:ncol + 1, :), plev(2:ncol + 1, :), &
        tlay(2:ncol + 1, :), tlev(2:ncol + 1, :), tsfc(2:ncol + 1), gases(2:ncol + 1, :, 1), gases(2:ncol + 1, :, 2), &
        gases(2:ncol + 1, :, 3), gases(2:ncol + 1, :, 4), gases(2:ncol + 1, :, 5), gases(2:ncol + 1, :, 6), &
        gases(2:ncol + 1, :, 7), gases(2:ncol + 1, :, 8), gases(2:ncol + 1, :, 9), gases(2:ncol + 1, :, 10), &
        emis(2:ncol + 1, :), int(header(5), im), int(header(6), im), int(header(7), im), cloud, tau, ice, liquid, &
        ice_size, radius, tauaer, uflx(2:ncol + 1, :), dflx(2:ncol + 1, :), hr(2:ncol + 1, :), uflxc(2:ncol + 1, :), &
        dflxc(2:ncol + 1, :), hrc(2:ncol + 1, :), duflx_dt(2:ncol + 1, :), duflxc_dt(2:ncol + 1, :))
    end do
    call cpu_time(ended)
    if (repeats > 1) write (*, '(a, es12.4, a)') 'time of a call: ', (ended - started) / repeats, ' s'
    if (header(4) /= 1) then
      duflx_dt = 0
      duflxc_dt = 0
    end if
    call put(uflx(2:ncol + 1, :nlay + 1))
    call put(dflx(2:ncol + 1, :nlay + 1))
    call put(hr(2:ncol + 1, :nlay))
    call put(uflxc(2:ncol + 1, :nlay + 1))
    call put(dflxc(2:ncol + 1, :nlay + 1))
    call put(hrc(2:ncol + 1, :nlay))
    call put(duflx_dt(2:ncol + 1, :nlay + 1))
    call put(duflxc_dt(2:ncol + 1, :nlay + 1))
  end subroutine compute

  subroutine get(field)
    real(rb), intent(out) :: field(:, :)
    real(real64), allocatable :: numbers(:, :)
    allocate (numbers(size(field, 1), size(field, 2)))
    read (in) numbers
    field = real(numbers, rb)
  end subroutine get

  subroutine get_1(field)
    real(rb), intent(out) :: field(:)
    real(real64), allocatable :: numbers(:)
    allocate (numbers(size(field)))
    read (in) numbers
    field = real(numbers, rb)
  end subroutine get_1

  subroutine put(field)
    real(rb), intent(in) :: field(:, :)
    write (out) real(field, real64)
  end subroutine put

end program rrtmg_lw_driver
