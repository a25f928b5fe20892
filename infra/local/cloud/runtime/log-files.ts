import { createWriteStream, mkdirSync, statSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';

export interface LogFiles {
  /**
   * Writes a line.
   *
   * @param name the file's name without `.log`: a function's name, or `access` for the access log of the API
   */
  write(name: string, line: string): void;
  stop(): Promise<void>;
}

/** A log file that is larger than this is truncated at the next start. */
const truncateAboveBytes = 10 * 1024 * 1024;

/** Opens log files in a folder, which is created if it is missing: `<directory>/<name>.log`. */
export function openLogFiles(directory: string): LogFiles {
  const streams = new Map<string, WriteStream>();
  mkdirSync(directory, { recursive: true });

  function open(name: string): WriteStream {
    const path = join(directory, `${name}.log`);
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    const stream = createWriteStream(path, { flags: size > truncateAboveBytes ? 'w' : 'a' });
    // A full disk must not stop the cloud: the functions continue without logs.
    stream.on('error', () => {});
    streams.set(name, stream);
    return stream;
  }

  return {
    write(name, line) {
      (streams.get(name) ?? open(name)).write(`${line}\n`);
    },
    async stop() {
      const closing = [...streams.values()].map((stream) => new Promise((settle) => stream.end(settle)));
      streams.clear();
      await Promise.all(closing);
    },
  };
}
