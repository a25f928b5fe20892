/** Ends the processes of execution environments if the local cloud is killed. */
import { spawn } from 'node:child_process';

export interface Watchdog {
  watch(pid: number): void;
  /** Forgets a process. Call it as soon as the process has ended, because the system may give its id to another process. */
  forget(pid: number): void;
  /** Ends the watchdog. Processes that it still watches are killed. */
  stop(): void;
}

/** Reads `+<pid>` and `-<pid>`, a line each. When its input closes, kills the processes that are left. */
const script = `
pids=' '
while read -r line; do
  case $line in
    +*) pids="$pids\${line#+} " ;;
    -*) pid=\${line#-}; pids="\${pids%% $pid *} \${pids#* $pid }" ;;
  esac
done
for pid in $pids; do kill -KILL "$pid" 2>/dev/null; done
`;

/**
 * Starts the watchdog: a process whose input closes when this process ends, even by SIGKILL. A stopped process needs it,
 * because it does not run the code that would notice the end of its parent. The system does not continue it either, because
 * each environment leads a session of its own.
 */
export function startWatchdog(): Watchdog {
  // A separate process group, so that the terminal's Ctrl-C does not end it before the functions.
  const child = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  // The watchdog must not keep this process alive. If it ends early, there is nobody to write to.
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  const tell = (line: string) => {
    if (child.stdin.writable) child.stdin.write(`${line}\n`);
  };
  return {
    watch: (pid) => tell(`+${pid}`),
    forget: (pid) => tell(`-${pid}`),
    stop: () => void child.stdin.end(),
  };
}
