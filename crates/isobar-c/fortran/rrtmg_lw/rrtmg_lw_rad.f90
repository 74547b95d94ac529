! Long-wave radiation as RRTMG_LW computes it, by Isobar: `rrtmg_lw` with the 40 arguments of AER's module of this name
! (sub-columns of clouds, McICA), or with the 42 of climlab's copy, which has `ispec` and `olr_sr` besides.
!
! rrtmg_lw_ini comes first. Gases are mixing ratios relative to dry air, pressures in hPa, layers from the surface up.
! Transmittances are exact: fluxes are within 0.01 W/m2 of RRTMG_LW's, which reads the nearest entry of a table. With
! the environment variable ISOBAR_RRTMG_LW_TRANSMITTANCE=table they are those of its table, digit by digit, and take
! several times as long. Bad input ends the program with the variable, column, layer, value and accepted range, as
! RRTMG_LW stops; a caller that gives `stat` goes on, with results that are 0.
module rrtmg_lw_rad
  use, intrinsic :: ieee_arithmetic, only: ieee_is_finite
  use parkind, only: im => kind_im, rb => kind_rb
  use isobar, only: int32, isobar_arrays
  use rrtmg_lw_init, only: heat_capacity, longwave
  implicit none
  private
  public :: rrtmg_lw

  interface rrtmg_lw
    module procedure rrtmg_lw_of_aer, rrtmg_lw_of_climlab
  end interface rrtmg_lw

  integer, parameter :: bands = 16, points = 140, bits = 32, words = (points + bits - 1) / bits
  real(rb), parameter :: pa_per_hpa = 100
  ! Isobar's names for `iceflglw` and `liqflglw`.
  character(15), parameter :: ice_optics(0:3) = [character(15) :: 'one_coefficient', 'ebert_curry', 'spheres', 'fu']
  character(15), parameter :: liquid_optics(0:1) = [character(15) :: 'one_coefficient', 'hu_stamnes']

contains

  subroutine rrtmg_lw_of_aer &
      (ncol, nlay, icld, idrv, play, plev, tlay, tlev, tsfc, h2ovmr, o3vmr, co2vmr, ch4vmr, n2ovmr, o2vmr, cfc11vmr, &
       cfc12vmr, cfc22vmr, ccl4vmr, emis, inflglw, iceflglw, liqflglw, cldfmcl, taucmcl, ciwpmcl, clwpmcl, reicmcl, &
       relqmcl, tauaer, uflx, dflx, hr, uflxc, dflxc, hrc, duflx_dt, duflxc_dt, stat, errmsg)
    ! Columns and layers.
    integer(im), intent(in) :: ncol, nlay
    ! Clouds: 0 none; 1 to 3 those of the sub-columns, however they overlap. What is none of these becomes 2.
    integer(im), intent(inout) :: icld
    ! 1: the derivatives of the upward fluxes by the surface's temperature, too.
    integer(im), intent(in) :: idrv
    ! Pressure [hPa] and temperature [K] of layers (ncol, nlay) and levels (ncol, nlay + 1), temperature of the surface.
    real(rb), intent(in), target :: play(:, :), plev(:, :), tlay(:, :), tlev(:, :), tsfc(:)
    ! Volume mixing ratios (ncol, nlay).
    real(rb), intent(in), target :: h2ovmr(:, :), o3vmr(:, :), co2vmr(:, :), ch4vmr(:, :), n2ovmr(:, :), o2vmr(:, :)
    real(rb), intent(in), target :: cfc11vmr(:, :), cfc12vmr(:, :), cfc22vmr(:, :), ccl4vmr(:, :)
    ! Emissivity of the surface (ncol, 16).
    real(rb), intent(in), target :: emis(:, :)
    ! Cloud optics: 0 optical depths are given, 2 water paths and sizes are; of ice 0 to 3, of droplets 0 or 1.
    integer(im), intent(in) :: inflglw, iceflglw, liqflglw
    ! Sub-columns (140, ncol, nlay): which are cloudy (1), optical depth, ice and liquid water path [g/m2].
    real(rb), intent(in) :: cldfmcl(:, :, :), taucmcl(:, :, :), ciwpmcl(:, :, :), clwpmcl(:, :, :)
    ! Size of ice particles and radius of droplets (ncol, nlay) [um].
    real(rb), intent(in), target :: reicmcl(:, :), relqmcl(:, :)
    ! Absorption optical depth of aerosol (ncol, nlay, 16).
    real(rb), intent(in), target :: tauaer(:, :, :)
    ! Upward and downward flux [W/m2] (ncol, nlay + 1), heating rate [K/day] (ncol, nlay); the same without clouds.
    real(rb), intent(out), target :: uflx(:, :), dflx(:, :), hr(:, :), uflxc(:, :), dflxc(:, :), hrc(:, :)
    ! Derivative of the upward flux by the surface's temperature [W/(m2 K)] (ncol, nlay + 1), and without clouds.
    real(rb), intent(out), target, optional :: duflx_dt(:, :), duflxc_dt(:, :)
    ! Not of AER's interface: 0, or what was wrong.
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(isobar_arrays), target :: inputs, outputs

    call compute(inputs, outputs, ncol, nlay, icld, idrv, play, plev, tlay, tlev, tsfc, h2ovmr, o3vmr, co2vmr, ch4vmr, &
      n2ovmr, o2vmr, cfc11vmr, cfc12vmr, cfc22vmr, ccl4vmr, emis, inflglw, iceflglw, liqflglw, cldfmcl, taucmcl, &
      ciwpmcl, clwpmcl, reicmcl, relqmcl, tauaer, uflx, dflx, hr, uflxc, dflxc, hrc, duflx_dt, duflxc_dt, .false., &
      stat, errmsg)
  end subroutine rrtmg_lw_of_aer

  ! With climlab's `ispec` (1: the upward flux of each band at the top, too) and `olr_sr` (ncol, 16) [W/m2].
  subroutine rrtmg_lw_of_climlab &
      (ncol, nlay, icld, ispec, idrv, play, plev, tlay, tlev, tsfc, h2ovmr, o3vmr, co2vmr, ch4vmr, n2ovmr, o2vmr, &
       cfc11vmr, cfc12vmr, cfc22vmr, ccl4vmr, emis, inflglw, iceflglw, liqflglw, cldfmcl, taucmcl, ciwpmcl, clwpmcl, &
       reicmcl, relqmcl, tauaer, olr_sr, uflx, dflx, hr, uflxc, dflxc, hrc, duflx_dt, duflxc_dt, stat, errmsg)
    integer(im), intent(in) :: ncol, nlay
    integer(im), intent(inout) :: icld
    integer(im), intent(in) :: ispec, idrv
    real(rb), intent(in), target :: play(:, :), plev(:, :), tlay(:, :), tlev(:, :), tsfc(:)
    real(rb), intent(in), target :: h2ovmr(:, :), o3vmr(:, :), co2vmr(:, :), ch4vmr(:, :), n2ovmr(:, :), o2vmr(:, :)
    real(rb), intent(in), target :: cfc11vmr(:, :), cfc12vmr(:, :), cfc22vmr(:, :), ccl4vmr(:, :), emis(:, :)
    integer(im), intent(in) :: inflglw, iceflglw, liqflglw
    real(rb), intent(in) :: cldfmcl(:, :, :), taucmcl(:, :, :), ciwpmcl(:, :, :), clwpmcl(:, :, :)
    real(rb), intent(in), target :: reicmcl(:, :), relqmcl(:, :), tauaer(:, :, :)
    real(rb), intent(out) :: olr_sr(:, :)
    real(rb), intent(out), target :: uflx(:, :), dflx(:, :), hr(:, :), uflxc(:, :), dflxc(:, :), hrc(:, :)
    real(rb), intent(out), target, optional :: duflx_dt(:, :), duflxc_dt(:, :)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(isobar_arrays), target :: inputs, outputs
    real(rb), allocatable, target :: band_up(:, :, :), band_down(:, :, :)

    if (ispec == 1) then
      allocate (band_up(ncol, bands, nlay + 1), band_down(ncol, bands, nlay + 1))
      call outputs%add('longwave_up_by_band_w_per_m2', band_up)
      call outputs%add('longwave_down_by_band_w_per_m2', band_down)
    end if
    call compute(inputs, outputs, ncol, nlay, icld, idrv, play, plev, tlay, tlev, tsfc, h2ovmr, o3vmr, co2vmr, ch4vmr, &
      n2ovmr, o2vmr, cfc11vmr, cfc12vmr, cfc22vmr, ccl4vmr, emis, inflglw, iceflglw, liqflglw, cldfmcl, taucmcl, &
      ciwpmcl, clwpmcl, reicmcl, relqmcl, tauaer, uflx, dflx, hr, uflxc, dflxc, hrc, duflx_dt, duflxc_dt, ispec == 1, &
      stat, errmsg)
    olr_sr = 0
    if (ispec /= 1) return
    if (present(stat)) then
      if (stat < 0) return
    end if
    olr_sr(:ncol, :bands) = band_up(:, :, nlay + 1)
  end subroutine rrtmg_lw_of_climlab

  subroutine compute &
      (inputs, outputs, ncol, nlay, icld, idrv, play, plev, tlay, tlev, tsfc, h2ovmr, o3vmr, co2vmr, ch4vmr, n2ovmr, &
       o2vmr, cfc11vmr, cfc12vmr, cfc22vmr, ccl4vmr, emis, inflglw, iceflglw, liqflglw, cldfmcl, taucmcl, ciwpmcl, &
       clwpmcl, reicmcl, relqmcl, tauaer, uflx, dflx, hr, uflxc, dflxc, hrc, duflx_dt, duflxc_dt, by_band, stat, errmsg)
    type(isobar_arrays), intent(inout), target :: inputs, outputs
    integer(im), intent(in) :: ncol, nlay
    integer(im), intent(inout) :: icld
    integer(im), intent(in) :: idrv
    real(rb), intent(in), target :: play(:, :), plev(:, :), tlay(:, :), tlev(:, :), tsfc(:)
    real(rb), intent(in), target :: h2ovmr(:, :), o3vmr(:, :), co2vmr(:, :), ch4vmr(:, :), n2ovmr(:, :), o2vmr(:, :)
    real(rb), intent(in), target :: cfc11vmr(:, :), cfc12vmr(:, :), cfc22vmr(:, :), ccl4vmr(:, :), emis(:, :)
    integer(im), intent(in) :: inflglw, iceflglw, liqflglw
    real(rb), intent(in) :: cldfmcl(:, :, :), taucmcl(:, :, :), ciwpmcl(:, :, :), clwpmcl(:, :, :)
    real(rb), intent(in), target :: reicmcl(:, :), relqmcl(:, :), tauaer(:, :, :)
    real(rb), intent(out), target :: uflx(:, :), dflx(:, :), hr(:, :), uflxc(:, :), dflxc(:, :), hrc(:, :)
    real(rb), intent(out), target, optional :: duflx_dt(:, :), duflxc_dt(:, :)
    logical, intent(in) :: by_band
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    real(rb), target :: play_pa(ncol, nlay), plev_pa(ncol, nlay + 1)
    real(rb), allocatable, target :: cloud(:, :), ice(:, :), liquid(:, :), depth(:, :, :), share(:, :, :)
    integer(int32), allocatable, target :: mask(:, :, :)
    character(512) :: problem, options
    logical :: cloudy, derivative

    problem = ''
    if (.not. longwave%is_created()) problem = 'rrtmg_lw: call rrtmg_lw_ini first'
    if (icld < 0 .or. icld > 3) icld = 2
    derivative = idrv == 1 .and. present(duflx_dt) .and. present(duflxc_dt)
    if (idrv == 1 .and. .not. derivative) problem = 'rrtmg_lw: with idrv = 1 duflx_dt and duflxc_dt are needed'
    if (icld > 0 .and. (iceflglw < 0 .or. iceflglw > 3 .or. liqflglw < 0 .or. liqflglw > 1)) &
      problem = 'rrtmg_lw: iceflglw is not 0 to 3, or liqflglw not 0 or 1'
    cloudy = .false.
    if (icld > 0) then
      call check_fractions(cldfmcl(:points, :ncol, :nlay), problem)
      cloudy = any(cldfmcl(:points, :ncol, :nlay) == 1)
    end if
    call check_transmittance(problem)
    if (cloudy .and. problem == '') then
      call bring_clouds(ncol, nlay, inflglw, cldfmcl, taucmcl, ciwpmcl, clwpmcl, cloud, ice, liquid, depth, share, &
        mask, problem)
    end if
    if (problem /= '') then
      if (present(errmsg)) errmsg = problem
      if (.not. present(stat)) error stop trim(problem)
      stat = -1
      call no_results()
      return
    end if

    play_pa = pa_per_hpa * play(:ncol, :nlay)
    plev_pa = pa_per_hpa * plev(:ncol, :nlay + 1)
    call inputs%add('level_pressure_pa', plev_pa)
    call inputs%add('pressure_pa', play_pa)
    call inputs%add('temperature_k', tlay(:ncol, :nlay))
    call inputs%add('level_temperature_k', tlev(:ncol, :nlay + 1))
    call inputs%add('surface_temperature_k', tsfc(:ncol))
    call inputs%add('emissivity', emis(:ncol, :bands))
    call inputs%add('h2o', h2ovmr(:ncol, :nlay))
    call inputs%add('co2', co2vmr(:ncol, :nlay))
    call inputs%add('o3', o3vmr(:ncol, :nlay))
    call inputs%add('n2o', n2ovmr(:ncol, :nlay))
    call inputs%add('ch4', ch4vmr(:ncol, :nlay))
    call inputs%add('o2', o2vmr(:ncol, :nlay))
    call inputs%add('ccl4', ccl4vmr(:ncol, :nlay))
    call inputs%add('cfc11', cfc11vmr(:ncol, :nlay))
    call inputs%add('cfc12', cfc12vmr(:ncol, :nlay))
    call inputs%add('cfc22', cfc22vmr(:ncol, :nlay))
    ! The field's dimensions are columns, bands, layers in the order of memory: the array's first, third and second.
    if (any(tauaer(:ncol, :nlay, :bands) /= 0)) then
      call inputs%add('aerosol_absorption_longwave', tauaer(:ncol, :nlay, :bands), order=[1, 3, 2])
    end if
    if (cloudy) then
      call inputs%add('cloud_fraction', cloud)
      call inputs%add('cloud_mask', mask)
      if (allocated(share)) call inputs%add('cloud_share', share)
      if (allocated(depth)) then
        call inputs%add('cloud_absorption_longwave', depth)
      else
        call inputs%add('ice_path_g_per_m2', ice)
        call inputs%add('liquid_path_g_per_m2', liquid)
        call inputs%add('ice_size_um', reicmcl(:ncol, :nlay))
        call inputs%add('liquid_radius_um', relqmcl(:ncol, :nlay))
      end if
    end if

    call outputs%add('longwave_up_w_per_m2', uflx(:ncol, :nlay + 1))
    call outputs%add('longwave_down_w_per_m2', dflx(:ncol, :nlay + 1))
    call outputs%add('longwave_heating_k_per_day', hr(:ncol, :nlay))
    if (cloudy) then
      call outputs%add('longwave_up_clear_w_per_m2', uflxc(:ncol, :nlay + 1))
      call outputs%add('longwave_down_clear_w_per_m2', dflxc(:ncol, :nlay + 1))
      call outputs%add('longwave_heating_clear_k_per_day', hrc(:ncol, :nlay))
    end if
    if (derivative) then
      call outputs%add('longwave_up_derivative_w_per_m2_k', duflx_dt(:ncol, :nlay + 1))
      if (cloudy) call outputs%add('longwave_up_clear_derivative_w_per_m2_k', duflxc_dt(:ncol, :nlay + 1))
    end if

    write (options, '(a, es24.16e3, 14a)') '{"heat_capacity_j_per_kg_k": ', heat_capacity, ', "derivative": ', &
      boolean(derivative), ', "clear_sky": ', boolean(cloudy), ', "band_fluxes": ', boolean(by_band), &
      ', "transmittance": "', trim(transmittance()), &
      '", "ice": "', trim(ice_optics(max(0, min(iceflglw, 3)))), '", "liquid": "', &
      trim(liquid_optics(max(0, min(liqflglw, 1)))), '"}'
    call longwave%run(inputs, outputs, options, stat, errmsg)
    if (present(stat)) then
      if (stat < 0) call no_results()
    end if
    if (cloudy) return
    uflxc(:ncol, :nlay + 1) = uflx(:ncol, :nlay + 1)
    dflxc(:ncol, :nlay + 1) = dflx(:ncol, :nlay + 1)
    hrc(:ncol, :nlay) = hr(:ncol, :nlay)
    if (derivative) duflxc_dt(:ncol, :nlay + 1) = duflx_dt(:ncol, :nlay + 1)

  contains

    ! After an error all results are 0.
    subroutine no_results()
      uflx = 0
      dflx = 0
      hr = 0
      uflxc = 0
      dflxc = 0
      hrc = 0
      if (present(duflx_dt)) duflx_dt = 0
      if (present(duflxc_dt)) duflxc_dt = 0
    end subroutine no_results

  end subroutine compute

  ! A point is clear or cloudy: what is between, or not a number, would count as clear in silence.
  subroutine check_fractions(cldfmcl, problem)
    real(rb), intent(in) :: cldfmcl(:, :, :)
    character(*), intent(inout) :: problem
    integer :: point, column, layer

    do layer = 1, size(cldfmcl, 3)
      do column = 1, size(cldfmcl, 2)
        do point = 1, size(cldfmcl, 1)
          if (cldfmcl(point, column, layer) == 0 .or. cldfmcl(point, column, layer) == 1) cycle
          problem = at_point('cldfmcl', point, column, layer, cldfmcl(point, column, layer), 'neither 0 nor 1')
          return
        end do
      end do
    end do
  end subroutine check_fractions

  ! What cloudy points have is a number from 0 up: the greatest of a layer, which is what counts, passes over others.
  subroutine check_clouds(name, cldfmcl, values, problem)
    character(*), intent(in) :: name
    real(rb), intent(in) :: cldfmcl(:, :, :), values(:, :, :)
    character(*), intent(inout) :: problem
    integer :: point, column, layer

    do layer = 1, size(values, 3)
      do column = 1, size(values, 2)
        do point = 1, size(values, 1)
          if (cldfmcl(point, column, layer) == 0) cycle
          ! Not a number is not compared: that is an invalid operation.
          if (ieee_is_finite(values(point, column, layer))) then
            if (values(point, column, layer) >= 0) cycle
          end if
          problem = at_point(name, point, column, layer, values(point, column, layer), &
            'not a finite number of at least 0')
          return
        end do
      end do
    end do
  end subroutine check_clouds

  ! Where which value is wrong; all are counted from 0.
  function at_point(name, point, column, layer, value, what) result(problem)
    character(*), intent(in) :: name, what
    integer, intent(in) :: point, column, layer
    real(rb), intent(in) :: value
    character(512) :: problem
    character(16) :: digits

    write (digits, '(g0.7)') value
    write (problem, '(3a, 3(i0, a))') 'rrtmg_lw: ', name, ' at column ', column - 1, ', layer ', layer - 1, &
      ', g-point ', point - 1, ' is ' // trim(adjustl(digits)) // ', which is ' // what
  end function at_point

  ! The sub-columns as Isobar has them: a mask of bits, the first g-point in the lowest of the first word; what a
  ! layer's clouds have where all sub-columns have the same; otherwise what each of them has of it.
  subroutine bring_clouds(ncol, nlay, inflglw, cldfmcl, taucmcl, ciwpmcl, clwpmcl, cloud, ice, liquid, depth, share, &
      mask, problem)
    integer(im), intent(in) :: ncol, nlay, inflglw
    real(rb), intent(in) :: cldfmcl(:, :, :), taucmcl(:, :, :), ciwpmcl(:, :, :), clwpmcl(:, :, :)
    real(rb), allocatable, intent(out) :: cloud(:, :), ice(:, :), liquid(:, :), depth(:, :, :), share(:, :, :)
    integer(int32), allocatable, intent(out) :: mask(:, :, :)
    character(*), intent(inout) :: problem
    logical :: is_cloudy(points)
    integer :: column, layer

    if (inflglw /= 0 .and. inflglw /= 2) then
      problem = 'rrtmg_lw: inflglw is neither 0 (optical depths) nor 2 (water paths and sizes)'
      return
    end if
    allocate (cloud(ncol, nlay), mask(ncol, words, nlay))
    if (inflglw == 0) then
      call check_clouds('taucmcl', cldfmcl, taucmcl(:points, :ncol, :nlay), problem)
      allocate (depth(ncol, bands, nlay))
    else
      call check_clouds('ciwpmcl', cldfmcl, ciwpmcl(:points, :ncol, :nlay), problem)
      call check_clouds('clwpmcl', cldfmcl, clwpmcl(:points, :ncol, :nlay), problem)
      allocate (ice(ncol, nlay), liquid(ncol, nlay))
    end if
    if (problem /= '') return
    do layer = 1, nlay
      do column = 1, ncol
        is_cloudy = cldfmcl(:points, column, layer) == 1
        mask(column, :, layer) = bits_of(is_cloudy)
        cloud(column, layer) = merge(1, 0, any(is_cloudy))
        if (inflglw == 0) then
          call bring_depths(column, layer, is_cloudy, taucmcl(:points, column, layer), depth, share)
        else
          call bring_paths(column, layer, is_cloudy, ciwpmcl(:points, column, layer), clwpmcl(:points, column, layer), &
            ice, liquid, share, problem)
        end if
      end do
    end do
  end subroutine bring_clouds

  ! A bit a g-point.
  function bits_of(is_set) result(mask)
    logical, intent(in) :: is_set(points)
    integer(int32) :: mask(words)
    integer :: point

    mask = 0
    do point = 1, points
      if (is_set(point)) mask((point - 1) / bits + 1) = ibset(mask((point - 1) / bits + 1), mod(point - 1, bits))
    end do
  end function bits_of

  ! The optical depth of each band, or, where it is not that of all cloudy points of a band, 1 and what each point has.
  subroutine bring_depths(column, layer, is_cloudy, tau, depth, share)
    integer, intent(in) :: column, layer
    logical, intent(in) :: is_cloudy(points)
    real(rb), intent(in) :: tau(points)
    real(rb), intent(inout) :: depth(:, :, :)
    real(rb), allocatable, intent(inout) :: share(:, :, :)
    integer, parameter :: last(0:bands) = [0, 10, 22, 38, 52, 68, 76, 88, 96, 108, 114, 122, 130, 134, 136, 138, 140]
    integer :: band, first(1)

    depth(column, :, layer) = 0
    do band = 1, bands
      associate (of_band => tau(last(band - 1) + 1:last(band)), cloudy => is_cloudy(last(band - 1) + 1:last(band)))
        if (.not. any(cloudy)) cycle
        first = findloc(cloudy, .true.)
        depth(column, band, layer) = of_band(first(1))
        if (any(cloudy .and. of_band /= of_band(first(1)))) then
          if (.not. allocated(share)) call no_share(size(depth, 1), size(depth, 3), share)
          depth(column, band, layer) = 1
          where (cloudy) share(column, last(band - 1) + 1:last(band), layer) = of_band
        end if
      end associate
    end do
  end subroutine bring_depths

  ! The water paths of a layer's clouds, and what each sub-column has of them if they are not all the same.
  subroutine bring_paths(column, layer, is_cloudy, ice_of_points, liquid_of_points, ice, liquid, share, problem)
    integer, intent(in) :: column, layer
    logical, intent(in) :: is_cloudy(points)
    real(rb), intent(in) :: ice_of_points(points), liquid_of_points(points)
    real(rb), intent(inout) :: ice(:, :), liquid(:, :)
    real(rb), allocatable, intent(inout) :: share(:, :, :)
    character(*), intent(inout) :: problem
    real(rb) :: part(points), water

    ice(column, layer) = 0
    liquid(column, layer) = 0
    if (.not. any(is_cloudy)) return
    ice(column, layer) = maxval(ice_of_points, is_cloudy)
    liquid(column, layer) = maxval(liquid_of_points, is_cloudy)
    water = ice(column, layer) + liquid(column, layer)
    if (.not. any(is_cloudy .and. (ice_of_points < ice(column, layer) .or. liquid_of_points < liquid(column, layer)))) &
      return
    part = 1
    where (is_cloudy) part = (ice_of_points + liquid_of_points) / water
    ! One number a sub-column: its ice and its liquid water are the same part of the layer's.
    if (any(is_cloudy .and. abs(ice_of_points - part * ice(column, layer)) > 4 * epsilon(water) * water)) then
      write (problem, '(2(a, i0), a)') 'rrtmg_lw: ciwpmcl and clwpmcl at column ', column - 1, ', layer ', layer - 1, &
        ' have another ratio from sub-column to sub-column, which is not accepted'
      return
    end if
    if (.not. allocated(share)) call no_share(size(ice, 1), size(ice, 2), share)
    share(column, :, layer) = part
  end subroutine bring_paths

  ! Each sub-column has all of the layer's.
  subroutine no_share(columns, layers, share)
    integer, intent(in) :: columns, layers
    real(rb), allocatable, intent(out) :: share(:, :, :)
    allocate (share(columns, points, layers))
    share = 1
  end subroutine no_share

  ! A flag as JSON, and a blank.
  function boolean(flag)
    logical, intent(in) :: flag
    character(5) :: boolean
    boolean = merge('true ', 'false', flag)
  end function boolean

  ! The exponential, or RRTMG_LW's table where the environment says so.
  function transmittance() result(name)
    character(64) :: name
    call get_environment_variable('ISOBAR_RRTMG_LW_TRANSMITTANCE', name)
    if (name == '') name = 'exact'
  end function transmittance

  subroutine check_transmittance(problem)
    character(*), intent(inout) :: problem
    character(64) :: name
    name = transmittance()
    if (name == 'exact' .or. name == 'table') return
    problem = 'rrtmg_lw: the environment variable ISOBAR_RRTMG_LW_TRANSMITTANCE is ' // trim(name) // &
      ', which is neither exact nor table'
  end subroutine check_transmittance

end module rrtmg_lw_rad
