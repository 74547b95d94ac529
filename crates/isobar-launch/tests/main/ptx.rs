//! PTX of one's own: what is refused, and a kernel that comes in a file.

use std::path::PathBuf;

use isobar_core::selftest::TeamSum;
use isobar_core::{Kernel, Lanes, Status, Team};
use isobar_launch::{Device, Error, Ptx, Queue};

/// A kernel that is not among those of this crate; the core is another one's.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct OwnSum<'a>(TeamSum<'a, f64>);

// SAFETY: as the kernel inside.
unsafe impl Kernel for OwnSum<'_> {
    const NAME: &'static str = "own_sum";
    const PRECISION: &'static str = "f64";
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.0.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        // SAFETY: the caller's promise.
        unsafe { self.0.item(index, lanes) }
    }
}

fn sum(queue: &Queue) -> Result<Vec<f64>, Error> {
    let values = queue.upload(&[0.5_f64; 64])?;
    let mut sums = queue.zeros(2)?;
    let mut statuses = queue.zeros(2)?;
    let kernel = OwnSum(TeamSum { values: values.item_fastest(32, 2), sums: sums.item_fastest_mut(1, 2) });
    queue.launch(&kernel, &mut statuses)?;
    queue.to_host(&sums)
}

/// A file in the folder for tests' files.
fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_kernel_comes_in_a_file() {
    let own = include_str!("../../ptx/selftest.ptx").replace("team_sum_f64", "own_sum_f64");
    let path = file("own.ptx", &own);
    for device in isobar_golden::devices() {
        let queue = Queue::new(device).unwrap();
        if device != Device::Cpu {
            let error = sum(&queue).unwrap_err();
            assert!(matches!(&error, Error::KernelMissing { name } if name == "own_sum_f64"), "{error}");
            assert!(error.to_string().contains("Queue::load"), "{error}");
        }
        // Twice is once.
        for _ in 0..2 {
            queue.load(Ptx::read(&path).unwrap()).unwrap();
            assert_eq!(sum(&queue).unwrap(), [16.0; 2], "{device}");
        }
        // Every queue of the device has it.
        assert_eq!(sum(&queue.another().unwrap()).unwrap(), [16.0; 2], "{device}");
    }
}

#[test]
fn what_is_no_ptx_is_refused_with_its_name() {
    let missing = Ptx::read("nowhere/my.ptx").unwrap_err();
    assert!(matches!(missing, Error::Ptx { .. }) && missing.to_string().contains("nowhere/my.ptx"), "{missing}");
    let empty = Ptx::read(file("empty.ptx", "// nothing\n")).unwrap_err();
    assert!(empty.to_string().contains("no kernel"), "{empty}");
}
