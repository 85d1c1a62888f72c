/** @param {number} ms @returns {string} such as `9.3 s` */
export function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** @param {number} ms @returns {string} such as `5:10`, in minutes and seconds */
export function clock(ms) {
  const all = Math.round(ms / 1000);
  return `${Math.floor(all / 60)}:${String(all % 60).padStart(2, '0')}`;
}
