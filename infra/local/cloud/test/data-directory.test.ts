import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openDataDirectory } from '../data-directory.ts';
import { openDatabase } from '../engines/database.ts';
import { startDynamodb } from '../engines/dynamodb/engine.ts';

const directory = mkdtempSync(join(tmpdir(), 'data-directory-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Returns a path in a folder, which is created. With content, the file is written. */
function inFolder(path: string, content?: string): string {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  if (content !== undefined) writeFileSync(file, content);
  return file;
}

/** Not a database, and longer than the header of one. */
const damage = 'damaged '.repeat(1_000);

describe('the data directory', () => {
  it('is created with its parents', () => {
    const path = join(directory, 'new/deep/data');
    openDataDirectory(path).release();
    expect(existsSync(join(path, 'lock.sqlite'))).toBe(true);
  });

  it('is named with the remedy if a file has its place', () => {
    const file = inFolder('a-file', '');
    expect(() => openDataDirectory(file)).toThrow(
      `${file} is a file, not a folder: remove it, or choose another folder with DATA_DIR`,
    );
    expect(() => openDataDirectory(join(file, 'below/it'))).toThrow(
      `${file}/below/it cannot be created, because ${file} is a file: choose another folder with DATA_DIR`,
    );
  });

  it.runIf(existsSync('/proc/self'))('is refused at once where no folder can be created', () => {
    expect(() => openDataDirectory('/proc/foo/bar')).toThrow(
      /^\/proc\/foo\/bar cannot be created \(E\w+\): make \/proc writable, or choose another folder with DATA_DIR$/,
    );
  });

  it.skipIf(process.getuid?.() === 0)('is refused if it, or its parent, cannot be written', () => {
    const path = join(directory, 'locked');
    mkdirSync(path);
    chmodSync(path, 0o500);
    expect(() => openDataDirectory(path)).toThrow(
      `${path} cannot be written (EACCES): change its permissions`,
    );
    expect(() => openDataDirectory(join(path, 'data'))).toThrow(`make ${path} writable`);
  });

  it('says that its lock is damaged, not that another cloud runs', () => {
    const file = inFolder('damaged-lock/lock.sqlite', damage);
    expect(() => openDataDirectory(dirname(file))).toThrow(
      `${file} cannot be used (file is not a database): remove it, or choose another folder with DATA_DIR`,
    );
  });

  it('names a damaged JSON file', () => {
    const file = inFolder('damaged-json/ports.json', '{"api":');
    const data = openDataDirectory(dirname(file));
    expect(() => data.read('ports.json')).toThrow(`${file} cannot be read: remove it to start without it`);
    data.release();
  });
});

describe('a damaged data file', () => {
  const remedy = 'restore it, or delete the whole data directory to start from scratch';

  it('of an engine is named', () => {
    const file = inFolder('engine/sqs.sqlite', damage);
    expect(() => openDatabase(file, '')).toThrow(
      `${file} cannot be used (file is not a database): ${remedy}`,
    );
  });

  it('of DynamoDB is named', async () => {
    const file = inFolder('dynamodb/dynamodb.sqlite', damage);
    const options = {
      clock: { now: Date.now, setTimer: () => () => {} },
      timing: { indexLagMs: 0, transactionHoldMs: 0 },
    };
    const start = startDynamodb({ region: 'r', accountId: 'a', tables: [] }, dirname(file), options);
    await expect(start).rejects.toThrow(
      new RegExp(`^${file} cannot be used \\(The database engine did not start: .*\\): ${remedy}$`),
    );
  });
});
