/**
 * The CPU time that work takes, in milliseconds. Unlike the time on a clock, it hardly depends on what else the machine does.
 * Compare it with a bound that only another order of growth exceeds.
 */
export function cpuMsOf(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
