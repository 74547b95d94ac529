! The module isobar itself: what schemes say of their fields, arrays of both precisions in any order, sizes, errors.
program module_isobar
  use, intrinsic :: iso_c_binding, only: c_null_ptr
  use isobar
  implicit none
  integer, parameter :: columns = 3, layers = 8
  type(isobar_scheme) :: scheme
  type(isobar_arrays), target :: inputs, outputs
  type(isobar_field), allocatable :: fields(:)
  integer, allocatable :: shape(:)
  character(512) :: errmsg
  real(real32), target :: single(columns, layers)
  real(real64), target :: double(columns, layers), turned(layers, columns)
  real(real32), allocatable, target :: single_layered(:, :, :), single_levelled(:, :), single_surface(:, :)
  character(32), allocatable :: single_names(:)
  integer :: stat, i

  errmsg = ''
  ! Errors leave nothing behind.
  call scheme%create('yssu', real64, stat=stat, errmsg=errmsg)
  call expect(stat == -4 .and. index(errmsg, "did you mean 'ysu'?") > 0 .and. .not. scheme%is_created(), 1)
  call scheme%run(inputs, outputs, stat=stat, errmsg=errmsg)
  call expect(stat == -1 .and. index(errmsg, 'the scheme is null') > 0, 2)
  call scheme%destroy()

  call scheme%create('ysu', real64)
  call expect(scheme%is_created(), 3)
  fields = scheme%inputs()
  do i = 1, size(fields)
    if (fields(i)%name == 'temperature_k') exit
  end do
  call expect(i <= size(fields), 4)
  call expect(fields(i)%unit == 'K' .and. fields(i)%required .and. .not. fields(i)%is_word, 5)
  call expect(size(fields(i)%dimensions) == 1 .and. fields(i)%dimensions(1) == 'layer', 6)
  call expect(fields(i)%lowest < 101 .and. fields(i)%highest > 399 .and. fields(i)%accepted == 'in [100, 400]', 7)
  fields = scheme%outputs()
  call expect(any(fields%name == 'status' .and. fields%is_word), 8)

  call fill(inputs, double)
  call outputs%add('theta_tendency_k_per_s', double)
  call scheme%sizes(inputs, 'theta_tendency_k_per_s', shape, '{"time_step_s": 60}')
  call expect(size(shape) == 2 .and. all(shape == [columns, layers]), 9)
  call scheme%run(inputs, outputs, '{"time_step_s": 60}')
  call expect(all(abs(double(:, 1)) > 0), 10)

  ! Layers first.
  call outputs%clear()
  call outputs%add('theta_tendency_k_per_s', turned, order=[2, 1])
  call scheme%run(inputs, outputs, '{"time_step_s": 60}', stat, errmsg)
  call expect(stat == isobar_ok .and. .not. any(abs(transpose(turned) - double) > 0), 11)

  ! An order that is none is told by the run, until the arrays are given anew.
  call outputs%clear()
  call outputs%add('theta_tendency_k_per_s', turned, order=[2, 2])
  call scheme%run(inputs, outputs, '{"time_step_s": 60}', stat, errmsg)
  call expect(stat == -5 .and. index(errmsg, 'theta_tendency_k_per_s: order is no permutation of 1 to 2') > 0, 17)
  call outputs%clear()
  call outputs%add('theta_tendency_k_per_s', turned, order=[2, 3])
  call scheme%run(inputs, outputs, '{"time_step_s": 60}', stat, errmsg)
  call expect(stat == -5, 18)
  call outputs%clear()
  call outputs%add('theta_tendency_k_per_s', turned, order=[2, 1, 3])
  call scheme%sizes(outputs, 'theta_tendency_k_per_s', shape, '{"time_step_s": 60}', stat, errmsg)
  call expect(stat == -5 .and. size(shape) == 0, 19)
  call outputs%clear()
  call outputs%add_device('theta_tendency_k_per_s', c_null_ptr, 16, [columns, layers], [1, columns], 0)
  call scheme%run(inputs, outputs, '{"time_step_s": 60}', stat, errmsg)
  call expect(stat == -5 .and. index(errmsg, 'and not 16') > 0, 20)

  ! The other precision is an error, and then is not.
  call outputs%clear()
  call outputs%add('theta_tendency_k_per_s', single)
  call scheme%run(inputs, outputs, '{"time_step_s": 60}', stat, errmsg)
  call expect(stat == -6 .and. index(errmsg, 'theta_tendency_k_per_s is f32') > 0, 12)
  call scheme%create('ysu', 16, stat=stat, errmsg=errmsg)
  call expect(stat == -5 .and. index(errmsg, 'real32 or real64, and not 16') > 0 .and. .not. scheme%is_created(), 21)
  call scheme%create('ysu', real64, '{"device": "gpu"}', stat=stat, errmsg=errmsg)
  call expect(index(errmsg, "'gpu' is not a device") > 0, 22)
  call scheme%create('ysu', real64, '{"device": "cuda"}', devices='thread', stat=stat, errmsg=errmsg)
  call expect(stat == -5 .and. index(errmsg, "the device of the setup is 'thread'") > 0, 23)
  call scheme%create('ysu', real32, devices='cpu')
  call fill_single(inputs)
  call scheme%run(inputs, outputs, '{"time_step_s": 60}')
  call expect(.not. any(abs(single - double) > 1e-5 * maxval(abs(double))), 13)

  call expect(size(isobar_names('{"a":[{"name":"x","b":["n"]},{"name":"y"}]}', 'a')) == 2, 14)
  call expect(all(isobar_names('{"k":1,"a":["p","q\"r"]}', 'a') == [character(4) :: 'p', 'q\"r']), 15)
  call expect(size(isobar_names('{"a":[]}', 'a')) == 0 .and. size(isobar_names('{}', 'a')) == 0, 16)
  call scheme%destroy()

contains

  ! Air over warm ground, alike in all columns but for the flux of heat.
  subroutine fill(arrays, values)
    type(isobar_arrays), intent(inout), target :: arrays
    real(real64), intent(in), target :: values(:, :)
    real(real64), save, target :: layered(columns, layers, 9), levelled(columns, layers + 1), surface(columns, 14)
    real(real64) :: up
    integer :: k
    character(32), parameter :: of_layers(9) = [character(32) :: 'u_m_per_s', 'v_m_per_s', 'temperature_k', &
      'vapour_kg_per_kg', 'cloud_water_kg_per_kg', 'cloud_ice_kg_per_kg', 'pressure_pa', 'exner', 'thickness_m']
    character(32), parameter :: of_surface(14) = [character(32) :: 'surface_pressure_pa', 'roughness_m', &
      'friction_velocity_m_per_s', 'profile_momentum', 'profile_heat', 'land_or_water', 'sensible_heat_flux_w_per_m2', &
      'moisture_flux_kg_per_m2_s', 'wind_speed_m_per_s', 'richardson', 'u_10m_m_per_s', 'v_10m_m_per_s', &
      'u_current_m_per_s', 'v_current_m_per_s']

    call expect(size(values) == columns * layers, 0)
    do k = 1, layers
      up = (k - 0.5_real64) / layers
      layered(:, k, 1) = 5 + 10 * up
      layered(:, k, 2) = 1
      layered(:, k, 3) = 295 - 20 * up
      layered(:, k, 4) = 0.01_real64 * exp(-3 * up)
      layered(:, k, 5:6) = 0
      layered(:, k, 7) = 1e5_real64 * exp(-0.3_real64 * up)
      layered(:, k, 8) = exp(-0.3_real64 * up)**(2 / 7.0_real64)
      layered(:, k, 9) = 320
    end do
    do k = 1, layers + 1
      levelled(:, k) = 1e5_real64 * exp(-0.3_real64 * (k - 1) / layers)
    end do
    surface = spread([1e5_real64, 0.1_real64, 0.3_real64, 6.0_real64, 5.0_real64, 1.0_real64, 150.0_real64, &
      5e-5_real64, 5.5_real64, -0.3_real64, 4.0_real64, 1.0_real64, 0.0_real64, 0.0_real64], 1, columns)
    surface(:, 7) = surface(:, 7) + [0, 20, 40]
    call arrays%clear()
    do k = 1, 9
      call arrays%add(trim(of_layers(k)), layered(:, :, k))
    end do
    call arrays%add('interface_pressure_pa', levelled)
    do k = 1, 14
      call arrays%add(trim(of_surface(k)), surface(:, k))
    end do
    call copy_single(of_layers, of_surface, layered, levelled, surface)
  end subroutine fill

  subroutine copy_single(of_layers, of_surface, layered, levelled, surface)
    character(*), intent(in) :: of_layers(:), of_surface(:)
    real(real64), intent(in) :: layered(:, :, :), levelled(:, :), surface(:, :)
    single_names = [character(32) :: of_layers, of_surface]
    single_layered = real(layered, real32)
    single_levelled = real(levelled, real32)
    single_surface = real(surface, real32)
  end subroutine copy_single

  subroutine fill_single(arrays)
    type(isobar_arrays), intent(inout), target :: arrays
    integer :: k
    call arrays%clear()
    do k = 1, 9
      call arrays%add(trim(single_names(k)), single_layered(:, :, k))
    end do
    call arrays%add('interface_pressure_pa', single_levelled)
    do k = 1, 14
      call arrays%add(trim(single_names(9 + k)), single_surface(:, k))
    end do
  end subroutine fill_single

  subroutine expect(holds, number)
    logical, intent(in) :: holds
    integer, intent(in) :: number
    if (holds) return
    print '(a, i0, 2a)', 'number ', number, ': ', trim(errmsg)
    error stop 1
  end subroutine expect

end program module_isobar
