//! Which columns of a grid stand around a place.

use isobar_raytrace::geodesy;

/// Where the columns stand \[deg\].
pub(super) enum Mesh {
    /// Rows at latitudes, columns at longitudes; all the way around if the first column follows the last.
    Axes { longitude: Vec<f64>, latitude: Vec<f64>, around: bool },
    /// Anywhere, `row * columns + column`: the projection of a model of a region.
    Curved { longitude: Vec<f64>, latitude: Vec<f64>, columns: usize },
}

/// Four columns around a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    rows: [usize; 2],
    columns: [usize; 2],
    /// What the second row counts.
    pub(super) row_share: f64,
    /// What the second column counts.
    pub(super) column_share: f64,
}

impl Cell {
    /// Row and column of the four: two of the first row, two of the second.
    pub(super) fn nodes(&self) -> [(usize, usize); 4] {
        let ([r, s], [c, d]) = (self.rows, self.columns);
        [(r, c), (r, d), (s, c), (s, d)]
    }
}

/// A share this far outside of a cell is rounding.
const ROUNDING: f64 = 1e-9;

/// Two neighbours on an axis that rises or falls throughout, and what the second one counts.
fn between(axis: &[f64], x: f64) -> Option<([usize; 2], f64)> {
    let last = axis.len() - 1;
    if let Some(node) = axis.iter().position(|&node| node == x) {
        return Some(([node, node], 0.0));
    }
    let rises = last == 0 || axis[last] > axis[0];
    let next = axis.partition_point(|&node| if rises { node <= x } else { node >= x });
    if next == 0 || next > last {
        return None;
    }
    Some(([next - 1, next], (x - axis[next - 1]) / (axis[next] - axis[next - 1])))
}

impl Mesh {
    /// Whether `axis` goes all the way around: from its end to its start is a step like the others.
    pub(super) fn is_around(axis: &[f64]) -> bool {
        let last = axis.len() - 1;
        let (length, steps) = ((axis[last] - axis[0]).abs(), last as f64);
        last > 1 && length < 360.0 && 360.0 - length < 1.5 * length / steps
    }

    /// Rows and columns.
    pub(super) fn size(&self) -> (usize, usize) {
        match self {
            Self::Axes { longitude, latitude, .. } => (latitude.len(), longitude.len()),
            Self::Curved { longitude, columns, .. } => (longitude.len() / columns, *columns),
        }
    }

    /// Longitude and latitude of a column.
    pub(super) fn node(&self, row: usize, column: usize) -> (f64, f64) {
        match self {
            Self::Axes { longitude, latitude, .. } => (longitude[column], latitude[row]),
            Self::Curved { longitude, latitude, columns } => {
                (longitude[row * columns + column], latitude[row * columns + column])
            }
        }
    }

    /// What it covers, in words.
    pub(super) fn range(&self) -> String {
        let (Self::Axes { longitude, latitude, .. } | Self::Curved { longitude, latitude, .. }) = self;
        let ends = |values: &[f64]| {
            let end = |pick: fn(f64, f64) -> f64| values.iter().copied().reduce(pick).unwrap_or(f64::NAN);
            (end(f64::min), end(f64::max))
        };
        let ((west, east), (south, north)) = (ends(longitude), ends(latitude));
        let curved = if matches!(self, Self::Curved { .. }) { ", within its edges" } else { "" };
        format!("the grid: longitudes {west} to {east}, latitudes {south} to {north}{curved}")
    }

    /// The four columns around a place; nothing outside the grid.
    pub(super) fn locate(&self, longitude_deg: f64, latitude_deg: f64) -> Option<Cell> {
        match self {
            Self::Axes { longitude, latitude, around } => {
                let (rows, row_share) = between(latitude, latitude_deg)?;
                let west = longitude.iter().copied().fold(f64::INFINITY, f64::min);
                let turns = ((longitude_deg - west) / 360.0).floor();
                let here = longitude_deg - 360.0 * turns;
                // The same place, whose name lost digits.
                let here = longitude.iter().copied().find(|&node| node == longitude_deg).unwrap_or(here);
                if let Some((columns, column_share)) = between(longitude, here) {
                    return Some(Cell { rows, columns, row_share, column_share });
                }
                if !around {
                    return None;
                }
                let last = longitude.len() - 1;
                let (from, to) = if longitude[last] > longitude[0] { (last, 0) } else { (0, last) };
                let column_share = (here - longitude[from]) / (longitude[to] + 360.0 - longitude[from]);
                Some(Cell { rows, columns: [from, to], row_share, column_share })
            }
            Self::Curved { longitude, latitude, columns } => {
                in_curved(longitude, latitude, *columns, [longitude_deg, latitude_deg])
            }
        }
    }
}

/// The cell beside the nearest node that holds a place, seen from the Earth's centre: on the plane that touches there,
/// great circles are straight.
fn in_curved(longitude: &[f64], latitude: &[f64], columns: usize, [east, north]: [f64; 2]) -> Option<Cell> {
    let unit = |longitude: f64, latitude: f64| geodesy::unit(geodesy::to_cartesian(0.0, longitude, latitude));
    let place = unit(east, north);
    let cosine = |i: usize| geodesy::dot(unit(longitude[i], latitude[i]), place);
    let nearest = (0..longitude.len()).map(|i| (cosine(i), i)).max_by(|a, b| a.0.total_cmp(&b.0))?.1;
    let (row, column, rows) = (nearest / columns, nearest % columns, longitude.len() / columns);
    if longitude[nearest] == east && latitude[nearest] == north {
        return Some(Cell { rows: [row, row], columns: [column, column], row_share: 0.0, column_share: 0.0 });
    }
    // Axes of the plane.
    let to_east = unit(east + 90.0, 0.0);
    let to_north = place.cross(&to_east);
    let flat = |i: usize| {
        let node = unit(longitude[i], latitude[i]);
        let depth = geodesy::dot(node, place);
        [geodesy::dot(node, to_east) / depth, geodesy::dot(node, to_north) / depth]
    };
    for r in [row.checked_sub(1), Some(row)].into_iter().flatten().filter(|r| r + 1 < rows) {
        for c in [column.checked_sub(1), Some(column)].into_iter().flatten().filter(|c| c + 1 < columns) {
            let node = |row: usize, column: usize| flat(row * columns + column);
            let corners = [node(r, c), node(r, c + 1), node(r + 1, c), node(r + 1, c + 1)];
            if let Some([column_share, row_share]) = shares(corners) {
                return Some(Cell { rows: [r, r + 1], columns: [c, c + 1], row_share, column_share });
            }
        }
    }
    None
}

/// The shares of the second column and of the second row at the origin of a plane, if it lies between these corners:
/// two of the first row, two of the second.
fn shares(corners: [[f64; 2]; 4]) -> Option<[f64; 2]> {
    let [a, b, c, d] = corners;
    let mut at = [0.5, 0.5];
    // Newton's method; cells are nearly parallelograms.
    for _ in 0..20 {
        let [x, y] = at;
        let mix = |i: usize| (1.0 - y) * ((1.0 - x) * a[i] + x * b[i]) + y * ((1.0 - x) * c[i] + x * d[i]);
        let by_x = |i: usize| (1.0 - y) * (b[i] - a[i]) + y * (d[i] - c[i]);
        let by_y = |i: usize| (1.0 - x) * (c[i] - a[i]) + x * (d[i] - b[i]);
        let determinant = by_x(0) * by_y(1) - by_x(1) * by_y(0);
        if determinant == 0.0 {
            return None;
        }
        let step =
            [(mix(0) * by_y(1) - mix(1) * by_y(0)) / determinant, (by_x(0) * mix(1) - by_x(1) * mix(0)) / determinant];
        at = [x - step[0], y - step[1]];
    }
    let inside = at.iter().all(|share| (-ROUNDING..=1.0 + ROUNDING).contains(share));
    inside.then_some(at.map(|share| share.clamp(0.0, 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axes(longitude: &[f64], latitude: &[f64]) -> Mesh {
        let around = Mesh::is_around(longitude);
        Mesh::Axes { longitude: longitude.to_vec(), latitude: latitude.to_vec(), around }
    }

    #[test]
    fn longitudes_go_around_where_the_grid_does() {
        let mesh = axes(&[0.0, 90.0, 180.0, 270.0], &[90.0, 0.0, -90.0]);
        let cell = |longitude, latitude| mesh.locate(longitude, latitude).unwrap();
        let expected = Cell { rows: [0, 1], columns: [3, 0], row_share: 0.25, column_share: 0.5 };
        assert_eq!(cell(-45.0, 67.5), expected);
        assert_eq!(cell(315.0, 67.5), expected);
        assert_eq!(cell(675.0, 67.5), expected);
        assert_eq!(cell(-90.0, -90.0).nodes(), [(2, 3); 4]);
        let region = axes(&[350.0, 360.0, 370.0], &[40.0, 50.0]);
        let cell = region.locate(5.0, 45.0).unwrap();
        assert_eq!((cell.columns, cell.column_share, cell.row_share), ([1, 2], 0.5, 0.5));
        assert!(region.locate(11.0, 45.0).is_none() && region.locate(5.0, 51.0).is_none());
        // Falling, too.
        let falling = axes(&[10.0, 0.0, -10.0], &[40.0, 50.0]);
        assert_eq!(falling.locate(-2.5, 40.0).unwrap().columns, [1, 2]);
        assert_eq!(falling.locate(-2.5, 40.0).unwrap().column_share, 0.25);
    }

    #[test]
    fn a_place_in_a_curved_cell_is_found_again() {
        // Rows and columns turned by 30 degrees, across the date line.
        let node = |row: usize, column: usize| {
            let (x, y) = (column as f64 - 2.0, row as f64 - 1.5);
            (180.0 + 0.866 * x - 0.5 * y, 60.0 + 0.25 * x + 0.433 * y)
        };
        let nodes: Vec<_> = (0..4).flat_map(|row| (0..5).map(move |column| node(row, column))).collect();
        let (longitude, latitude) = nodes.iter().map(|&(x, y)| (if x > 180.0 { x - 360.0 } else { x }, y)).unzip();
        let mesh = Mesh::Curved { longitude, latitude, columns: 5 };
        for (x, y) in [(-179.9, 60.1), (179.7, 59.8), (181.2, 60.3)] {
            let cell = mesh.locate(x, y).unwrap();
            let at = |(row, column)| {
                let (x, y) = mesh.node(row, column);
                geodesy::unit(geodesy::to_cartesian(0.0, x, y))
            };
            let [a, b, c, d] = cell.nodes().map(at);
            let (u, v) = (cell.column_share, cell.row_share);
            let place = geodesy::unit(geodesy::to_cartesian(0.0, x, y));
            // On the plane that touches at the place, whose own point is the vector itself.
            let flat = |node| node / geodesy::dot(node, place);
            let (a, b, c, d) = (flat(a), flat(b), flat(c), flat(d));
            let found = (a * (1.0 - u) + b * u) * (1.0 - v) + (c * (1.0 - u) + d * u) * v;
            assert!(geodesy::norm(found - place) < 1e-14, "{x} {y}");
        }
        let (x, y) = mesh.node(2, 3);
        assert_eq!(mesh.locate(x, y).unwrap().nodes(), [(2, 3); 4]);
        assert!(mesh.locate(0.0, 60.0).is_none() && mesh.locate(180.0, 65.0).is_none());
    }
}
