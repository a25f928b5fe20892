import { createWriteStream, mkdirSync, statSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';

export interface LogFiles {
  write(functionName: string, line: string): void;
  stop(): Promise<void>;
}

/** A log file that is larger than this is truncated at the next start. */
const truncateAboveBytes = 10 * 1024 * 1024;

/**
 * A log file for each function: `<directory>/<function>.log`.
 *
 * @param echo also called with each line, for a console.
 */
export function openLogFiles(
  directory: string,
  echo?: (functionName: string, line: string) => void,
): LogFiles {
  const streams = new Map<string, WriteStream>();
  mkdirSync(directory, { recursive: true });

  function open(functionName: string): WriteStream {
    const path = join(directory, `${functionName}.log`);
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    const stream = createWriteStream(path, { flags: size > truncateAboveBytes ? 'w' : 'a' });
    // A full disk must not stop the cloud: the functions continue without logs.
    stream.on('error', () => {});
    streams.set(functionName, stream);
    return stream;
  }

  return {
    write(functionName, line) {
      (streams.get(functionName) ?? open(functionName)).write(`${line}\n`);
      echo?.(functionName, line);
    },
    async stop() {
      const closing = [...streams.values()].map((stream) => new Promise((settle) => stream.end(settle)));
      streams.clear();
      await Promise.all(closing);
    },
  };
}
