/**
 * Gives a process the share of a processor that Lambda gives its function: in proportion to its memory, one processor at 1,769
 * MB. https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
 *
 * It is rough: in each period the process runs for its share, then it is stopped. Lambda stops a function only when it has used
 * up its share. Here, a function that waits for a reply is stopped too, and notices the reply up to one period later. More than
 * one processor is not simulated, and neither is the full speed of Lambda's init phase, which is never slowed down.
 */
import type { ChildProcess } from 'node:child_process';

const megabytesPerProcessor = 1_769;
const periodMs = 20;

/** Returns the share of a processor, from 0 to 1. */
export const processorShare = (memoryMegabytes: number): number =>
  Math.min(1, memoryMegabytes / megabytesPerProcessor);

/**
 * Stops and continues the process until the returned function is called. Leaves it as it is then.
 *
 * @param process a process that is running, or continued right after this call
 */
export function startSharing(process: Pick<ChildProcess, 'kill'>, memoryMegabytes: number): () => void {
  const runMs = periodMs * processorShare(memoryMegabytes);
  if (runMs >= periodMs) return () => {};
  let timer: NodeJS.Timeout;
  const run = () => {
    process.kill('SIGCONT');
    timer = setTimeout(rest, runMs);
  };
  const rest = () => {
    process.kill('SIGSTOP');
    timer = setTimeout(run, periodMs - runMs);
  };
  timer = setTimeout(rest, runMs);
  return () => clearTimeout(timer);
}
