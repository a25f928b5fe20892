import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DownloadError } from '../../../../lib/http-client/address-guard/download.ts';
import { hourMs, minuteMs, secondMs } from '../../../../lib/kernel/clock.ts';
import { partBytes } from '../../../../lib/media/imports/ports.ts';
import { runImport } from '../../../../lib/media/imports/run-import.ts';
import { headBytes } from '../../../../lib/media/probe/sniff.ts';
import { toMediaView } from '../../../../lib/media/view.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { elapse, stopTime } from '../../../support/stopped-time.ts';
import { createTestTable } from '../../../support/table.ts';
import { openImports } from './fixture.ts';
import { image, startSource, video } from './source-server.ts';

let table: Table;
let source: Awaited<ReturnType<typeof startSource>>;
beforeAll(async () => {
  [table, source] = await Promise.all([createTestTable(), startSource()]);
});
afterAll(() => source.close());
beforeEach(() => stopTime());
afterEach(() => void vi.useRealTimers());

type Imports = Awaited<ReturnType<typeof openImports>>;
type Waiting = (imports: Imports) => Promise<unknown>;

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('an import', () => {
  it.each([
    ['/image.jpg', 'image/jpeg', image],
    ['/image', 'image/jpeg', image],
    ['/really-an-image.mp4', 'image/jpeg', image],
    ['/chunked.jpg', 'image/jpeg', image],
    ['/moved.jpg', 'image/jpeg', image],
    ['/video.mp4', 'video/mp4', video],
  ])('fetches %s as %s, by its bytes', async (path, contentType, bytes) => {
    const imports = await openImports(table);
    const media = await imports.request(`${source.urlOf(path)}?signature=secret`);
    expect(media).toMatchObject({ status: 'pending', sourceUrl: source.urlOf(path) });
    expect(await imports.run(media)).toBe('fetched');
    expect(imports.digestOf(media)).toBe(digest(bytes));
    expect((await imports.read(media)).import).toMatchObject({
      status: 'checking',
      receivedBytes: bytes.length,
    });
    expect(await imports.arrived(media)).toBe('ready');
    const ready = await imports.read(media);
    expect(ready).toMatchObject({ status: 'ready', contentType, sizeBytes: bytes.length });
    expect(ready.importUrl).toBeUndefined();
    expect(toMediaView(ready, 'https://media.example.com')).toMatchObject({
      sourceUrl: source.urlOf(path),
      import: { status: 'done', receivedBytes: bytes.length, error: null, nextAttemptAt: null },
    });
  });

  it('asks for the bytes as they are, and sends no cookie and no referrer', async () => {
    const imports = await openImports(table);
    await imports.run(await imports.request(source.urlOf('/moved.jpg')));
    const headers = source.seen.at(-1) ?? {};
    expect(headers).toMatchObject({ 'accept-encoding': 'identity' });
    expect(Object.keys(headers).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
  });

  it.each([
    ['/missing.jpg', 'the server responded 404'],
    ['/secret.jpg', 'the server responded 403'],
    ['/page.jpg', 'the file is of an unknown type (text/html, says the server), which no platform accepts'],
    ['/empty.jpg', 'the file is empty'],
    ['/compressed.jpg', 'the server sends it compressed (gzip), although that was not asked for'],
    ['/claims-a-gibibyte.jpg', 'the file is larger than 31457280 bytes'],
    ['/claims-more.mp4', 'the file is larger than 1073741824 bytes'],
    ['/endless.jpg', 'the file is larger than 31457280 bytes'],
    ['/loop.jpg', 'it redirects more than 5 times'],
    ['/nowhere.jpg', 'the server responded 302'],
    ['/to-metadata.jpg', 'it redirects to a URL that must begin with https://'],
    ['/to-private.jpg', 'it redirects to a URL that must be at a public address'],
    ['/to-password.jpg', 'it redirects to a URL that must not contain a user name or a password'],
    ['/to-file.jpg', 'it redirects to a URL that must begin with https://'],
  ])('of %s fails at once: %s', async (path, reason) => {
    const imports = await openImports(table);
    const media = await imports.request(source.urlOf(path));
    expect(await imports.run(media)).toBe('failed');
    expect(await imports.read(media)).toMatchObject({
      status: 'invalid',
      statusMessage: `could not be fetched: ${reason}`,
      reservedBytes: 0,
      import: { status: 'failed', error: reason },
    });
    expect((await imports.read(media)).importUrl).toBeUndefined();
    expect(imports.bucket.objects.size).toBe(0);
    expect(imports.openUploads.size).toBe(0);
    expect(imports.sent).toEqual([]);
  });

  it.each([
    ['/busy.jpg', 'the server responded 503', 120],
    ['/limited.jpg', 'the server responded 429', 5],
    ['/reset.jpg', 'the connection was closed before the response was complete', 5],
    ['/too-short.jpg', 'the connection was closed before the response was complete', 5],
    ['/stalls.jpg', 'no data for 3 s', 5, (imports: Imports) => imports.opened],
    ['/never-answers.jpg', 'no response within 2 s', 5, () => source.asked('/never-answers.jpg')],
  ])('of %s is tried again: %s', async (path, error, delaySeconds, neverEnds?: Waiting) => {
    const imports = await openImports(table);
    const media = await imports.request(source.urlOf(path));
    const onlyALimitEndsIt = neverEnds?.(imports);
    // The worker itself has all the time there is, however far the stopped time moves while the database answers.
    const run = imports.run(media, Number.MAX_SAFE_INTEGER);
    if (onlyALimitEndsIt) await onlyALimitEndsIt;
    // Longer than each limit, so that the first limit that counts is over at once.
    expect(await (onlyALimitEndsIt ? elapse(3 * secondMs, run) : run)).toBe('waiting');
    expect(imports.sent).toEqual([
      { workspaceId: media.workspaceId, mediaId: media.id, sends: 1, delaySeconds },
    ]);
    expect(await imports.read(media)).toMatchObject({
      status: 'pending',
      import: { status: 'waiting', error },
    });
    expect(imports.bucket.objects.size).toBe(0);
    expect(await imports.run(media)).toBe('obsolete');
  });

  it.each([
    ['it takes too long', [image.subarray(0, 10)], 2 * secondMs],
    ['the server sends it too slowly', Array.from({ length: 100 }, () => image.subarray(0, 100)), minuteMs],
  ])('is tried again if %s', async (error, pieces, timeLeftMs) => {
    const imports = await openImports(table);
    const media = await imports.request(source.urlOf('/image.jpg'));
    /** Yields a piece each 100 ms, then none, however long the reader waits. */
    async function* slowly() {
      for (const piece of pieces) {
        vi.advanceTimersByTime(100);
        yield piece;
      }
      await elapse(secondMs, run);
    }
    const body = Readable.from(slowly()) as IncomingMessage;
    const ports = { ...imports.ports, open: async () => ({ body, headers: {} }) };
    const run = runImport(ports, { workspaceId: media.workspaceId, mediaId: media.id }, timeLeftMs);
    expect(await run).toBe('waiting');
    expect((await imports.read(media)).import).toMatchObject({ status: 'waiting', error });
    expect(body.destroyed).toBe(true);
  });

  it('is tried again if fewer bytes arrive than were promised, without any error', async () => {
    const imports = await openImports(table);
    const media = await imports.request(source.urlOf('/image.jpg'));
    const body = Readable.from([image.subarray(0, 9_000)]) as IncomingMessage;
    const headers = { 'content-length': String(image.length) };
    const ports = { ...imports.ports, open: async () => ({ body, headers }) };
    const run = runImport(ports, { workspaceId: media.workspaceId, mediaId: media.id }, minuteMs);
    expect(await run).toBe('waiting');
    const error = `only 9000 of ${image.length} bytes arrived`;
    expect((await imports.read(media)).import).toMatchObject({ status: 'waiting', error });
    expect(imports.digestOf(media)).toBeUndefined();
  });

  it('succeeds after the server was busy once', async () => {
    const imports = await openImports(table);
    const media = await imports.request(source.urlOf('/once-busy.jpg'));
    expect(await imports.run(media)).toBe('waiting');
    imports.pass(5 * secondMs);
    expect(await imports.run(media)).toBe('fetched');
    expect(await imports.arrived(media)).toBe('ready');
  });

  it('is given up half an hour after its first failure', async () => {
    const imports = await openImports(table);
    const media = await imports.request(source.urlOf('/limited.jpg'));
    let attempts = 0;
    for (let outcome = 'waiting'; outcome === 'waiting'; attempts += 1) {
      outcome = await imports.run(media);
      imports.pass((imports.sent.at(-1)?.delaySeconds ?? 0) * secondMs);
    }
    expect(attempts).toBeGreaterThan(5);
    expect(attempts).toBeLessThan(15);
    expect((await imports.read(media)).statusMessage).toBe('could not be fetched: the server responded 429');
  });

  it('takes the quota when the length is known, and fails if it does not suffice', async () => {
    const imports = await openImports(table, image.length);
    const first = await imports.request(source.urlOf('/image.jpg'));
    expect(await imports.free()).toBe(image.length);
    expect(await imports.run(first)).toBe('fetched');
    expect(await imports.free()).toBe(0);
    const second = await imports.request(source.urlOf('/image.jpg'));
    expect(await imports.run(second)).toBe('failed');
    expect((await imports.read(second)).statusMessage).toBe(
      'could not be fetched: the storage quota is exceeded',
    );
    expect(await imports.arrived(first)).toBe('ready');
    expect(await imports.free()).toBe(0);
  });

  it('sends parts of 8 MiB, whatever the pieces', async () => {
    const imports = await openImports(table);
    const media = await imports.request(source.urlOf('/endless.jpg'));
    expect(await imports.run(media)).toBe('failed');
    expect(imports.partSizes).toEqual([8, 8, 8].map((mebibytes) => mebibytes * 1024 ** 2));
    expect(imports.openUploads.size).toBe(0);
  });
});

describe('a worker', () => {
  it('does nothing for a message that comes twice, late or early', async () => {
    const imports = await openImports(table);
    const media = await imports.request(source.urlOf('/image.jpg'));
    const outcomes = await Promise.all([imports.run(media), imports.run(media)]);
    expect(outcomes.sort()).toEqual(['fetched', 'obsolete']);
    expect(await imports.run(media)).toBe('obsolete');
    expect(await imports.arrived(media)).toBe('ready');
    expect(await imports.run(media)).toBe('obsolete');
    expect(await imports.run({ id: media.workspaceId })).toBe('obsolete');
  });

  it.each(['open', 'put'] as const)('that crashes at %s is followed by another one', async (place) => {
    const imports = await openImports(table);
    const media = await imports.request(source.urlOf('/image.jpg'));
    imports.before((call) => {
      if (call === place) throw new Error('the worker crashes');
    });
    await expect(imports.run(media)).rejects.toThrow('the worker crashes');
    imports.before(() => undefined);
    expect(await imports.run(media)).toBe('obsolete');
    await imports.sweep();
    expect(imports.imports).toEqual([]);
    imports.pass(3 * minuteMs);
    await imports.sweep();
    expect(imports.imports).toHaveLength(1);
    expect(await imports.run(media)).toBe('fetched');
    expect(await imports.arrived(media)).toBe('ready');
    expect(imports.digestOf(media)).toBe(digest(image));
  });

  it('that crashes after the upload leaves a file that is accepted all the same', async () => {
    const imports = await openImports(table);
    const media = await imports.request(source.urlOf('/image.jpg'));
    imports.before(async (call) => {
      if (call !== 'put') return;
      imports.upload(media, image.length);
      throw new Error('the worker crashes');
    });
    await expect(imports.run(media)).rejects.toThrow('the worker crashes');
    expect(await imports.arrived(media)).toBe('ready');
    imports.pass(3 * minuteMs);
    await imports.sweep();
    expect(imports.imports).toEqual([]);
    expect(await imports.run(media)).toBe('obsolete');
  });

  it('that wakes up after another one has taken over changes nothing', async () => {
    const imports = await openImports(table);
    const media = await imports.request(source.urlOf('/image.jpg'));
    let second: string | undefined;
    imports.before(async (call) => {
      if (call !== 'open' || second !== undefined) return;
      second = '';
      imports.pass(3 * minuteMs);
      second = await imports.run(media);
    });
    expect(await imports.run(media)).toBe('lost');
    expect(second).toBe('fetched');
    expect((await imports.read(media)).import).toMatchObject({ status: 'checking', attempts: 2 });
  });

  it('that wakes up while another one fetches the file changes nothing', async () => {
    const imports = await openImports(table);
    const media = await imports.request(source.urlOf('/image.jpg'));
    const secondWrites = Promise.withResolvers<void>();
    const firstIsOver = Promise.withResolvers<void>();
    let second: Promise<string> | undefined;
    imports.before(async (call) => {
      if (call === 'open' && second === undefined) {
        imports.pass(3 * minuteMs);
        second = imports.run(media);
        await secondWrites.promise;
      } else if (call === 'put') {
        secondWrites.resolve();
        await firstIsOver.promise;
      }
    });
    expect(await imports.run(media)).toBe('lost');
    firstIsOver.resolve();
    expect(await second).toBe('fetched');
    expect(imports.digestOf(media)).toBe(digest(image));
  });

  it('that has sent its parts and wakes up while another one fetches the file removes them', async () => {
    const imports = await openImports(table);
    const media = await imports.request(source.urlOf('/image.jpg'));
    const secondWrites = Promise.withResolvers<void>();
    const firstIsOver = Promise.withResolvers<void>();
    let second: Promise<string> | undefined;
    imports.before(async (call) => {
      if (call === 'send') {
        imports.pass(3 * minuteMs);
        second = imports.run(media);
        await secondWrites.promise;
      } else if (call === 'put') {
        secondWrites.resolve();
        await firstIsOver.promise;
      }
    });
    const body = Readable.from([Buffer.concat([image, Buffer.alloc(partBytes)])]) as IncomingMessage;
    const ports = { ...imports.ports, open: async () => ({ body, headers: {} }) };
    const first = runImport(ports, { workspaceId: media.workspaceId, mediaId: media.id }, minuteMs);
    expect(await first).toBe('lost');
    expect(imports.partSizes).toEqual([partBytes]);
    expect(imports.openUploads.size).toBe(0);
    expect(imports.bucket.objects.size).toBe(0);
    firstIsOver.resolve();
    expect(await second).toBe('fetched');
    expect(imports.digestOf(media)).toBe(digest(image));
  });

  it('keeps a file whose bytes take longer than its lease', async () => {
    const imports = await openImports(table);
    const media = await imports.request(source.urlOf('/image.jpg'));
    const others: string[] = [];
    async function* slowly() {
      yield video.subarray(0, headBytes);
      for (let minutes = 0; minutes < 5; minutes += 1) {
        imports.pass(minuteMs);
        others.push(await imports.run(media));
        yield video.subarray(headBytes + minutes, minutes === 4 ? undefined : headBytes + minutes + 1);
      }
    }
    const body = Readable.from(slowly()) as IncomingMessage;
    const ports = { ...imports.ports, open: async () => ({ body, headers: {} }) };
    const run = runImport(ports, { workspaceId: media.workspaceId, mediaId: media.id }, minuteMs);
    expect(await run).toBe('fetched');
    expect(new Set(others)).toEqual(new Set(['obsolete']));
    expect(imports.digestOf(media)).toBe(digest(video));
  });

  it('stops when the file is deleted', async () => {
    const imports = await openImports(table);
    const media = await imports.request(source.urlOf('/image.jpg'));
    imports.before(async (call) => {
      if (call === 'open') await imports.delete(media);
    });
    expect(await imports.run(media)).toBe('lost');
    expect(imports.bucket.objects.size).toBe(0);
    imports.pass(2 * minuteMs);
    await imports.sweep();
    expect(await imports.find(media)).toBeUndefined();
  });

  it('that always crashes is not started for ever', async () => {
    const imports = await openImports(table);
    const media = await imports.request(source.urlOf('/image.jpg'));
    imports.before(() => {
      throw new Error('the worker crashes');
    });
    for (let crashes = 0; crashes < 20; crashes += 1) {
      await expect(imports.run(media)).rejects.toThrow('the worker crashes');
      imports.pass(3 * minuteMs);
    }
    expect(await imports.run(media)).toBe('failed');
    expect(await imports.read(media)).toMatchObject({
      status: 'invalid',
      statusMessage: 'could not be fetched: the service failed too often while it fetched the file',
    });
  });
});

describe('the sweep', () => {
  it('sends the message of an import whose first message was lost, and of one whose inspection was', async () => {
    const imports = await openImports(table);
    const media = await imports.request(source.urlOf('/image.jpg'));
    await imports.sweep();
    expect(imports.imports).toEqual([]);
    imports.pass(minuteMs);
    await imports.sweep();
    await imports.sweep();
    expect(imports.imports).toHaveLength(1);
    expect(await imports.run(media)).toBe('fetched');
    imports.pass(61 * minuteMs);
    await imports.sweep();
    expect(imports.imports).toHaveLength(2);
    expect(await imports.run(media)).toBe('fetched');
    expect(await imports.arrived(media)).toBe('ready');
  });

  it('sends messages for an import whose turn does not come ever more rarely, at least every half hour', async () => {
    const imports = await openImports(table);
    await imports.request(source.urlOf('/image.jpg'));
    const sentAtMinutes: number[] = [];
    for (let minute = 1; minute <= 150; minute += 1) {
      imports.pass(minuteMs);
      const before = imports.imports.length;
      await imports.sweep();
      if (imports.imports.length > before) sentAtMinutes.push(minute);
    }
    expect(sentAtMinutes).toEqual([1, 3, 6, 12, 24, 48, 78, 108, 138]);
  });
});

describe('an import whose inspections are lost', () => {
  it('is fetched again after five minutes, and then after waits that double up to an hour', async () => {
    const imports = await openImports(table);
    const media = await imports.request(source.urlOf('/image.jpg'));
    expect(await imports.run(media)).toBe('fetched');
    const fetchedAtMinutes: number[] = [];
    for (let minute = 1; minute <= 280; minute += 1) {
      imports.pass(minuteMs);
      const before = imports.imports.length;
      await imports.sweep();
      if (imports.imports.length === before) continue;
      expect(await imports.run(media)).toBe('fetched');
      fetchedAtMinutes.push(minute);
    }
    expect(fetchedAtMinutes).toEqual([5, 10, 20, 40, 80, 140, 200, 260]);
    expect(await imports.arrived(media)).toBe('ready');
  });

  it('has all patience with a server that fails for the first time since the file was fetched', async () => {
    const imports = await openImports(table);
    let isDown = true;
    imports.before((call) => {
      if (call === 'open' && isDown) throw new DownloadError('it is down', { isTemporary: true });
    });
    const media = await imports.request(source.urlOf('/image.jpg'));
    expect(await imports.run(media)).toBe('waiting');
    isDown = false;
    imports.pass(minuteMs);
    expect(await imports.run(media)).toBe('fetched');
    expect((await imports.read(media)).import).not.toHaveProperty('error');
    imports.pass(hourMs);
    isDown = true;
    expect(await imports.run(media)).toBe('waiting');
  });
});

describe('an import that cannot be inspected', () => {
  it('is invalid after the last try, and is not told to be uploaded', async () => {
    const imports = await openImports(table);
    const media = await imports.request(source.urlOf('/image.jpg'));
    expect(await imports.run(media)).toBe('fetched');
    await imports.giveUp(media);
    expect(await imports.read(media)).toMatchObject({
      status: 'invalid',
      statusMessage: 'the file could not be inspected; import it again',
    });
  });
});

describe('the request for an import', () => {
  it.each([
    ['https://10.0.0.1/a.jpg', 'url: must be at a public address'],
    ['http://files.example.com/a.jpg', 'url: must begin with https://'],
    ['https://user:password@files.example.com/a.jpg', 'url: must not contain a user name or a password'],
    ['https://files.example.com:8080/a.jpg', 'url: must have port 443 or 8443'],
    ['ftp://files.example.com/a.jpg', 'url: must begin with https://'],
    ['https://MEDIA.example.com:443/media/a.jpg', 'url: is an address of this service'],
    ['https://localhost/a.jpg', 'url: must be at a public host, not one of a private network'],
  ])('refuses %s', async (url, message) => {
    const imports = await openImports(table);
    await expect(imports.request(url)).rejects.toThrow(message);
  });

  it.each([
    ['https://files.example.com/f%C3%BCr%20dich.jpg', 'für dich.jpg', 'image/jpeg'],
    ['https://files.example.com/', 'file', 'application/octet-stream'],
    ['https://files.example.com/200?format=png', '200', 'application/octet-stream'],
  ])('takes the name of %s as %s, and guesses %s', async (url, filename, contentType) => {
    const imports = await openImports(table);
    expect(await imports.request(url)).toMatchObject({ filename, contentType });
  });
});
