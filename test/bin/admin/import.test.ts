import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { linkSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { csvColumns, readCsv } from '../../../bin/admin/import/csv.ts';
import { type FileRecord, readNdjson } from '../../../bin/admin/import/records.ts';
import { importRecords, type LineResult, noCounts } from '../../../bin/admin/import/run.ts';
import { accountFinder, Progress } from '../../../bin/admin/import.ts';
import { main } from '../../../bin/admin/main.ts';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { maxOpenImports } from '../../../lib/media/imports/open-import.ts';
import { queryPosts } from '../../../lib/posts/list/read-page.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Call, mediaBaseUrl, openApi } from '../../support/api.ts';
import { openWorkspace, storeAccount, storeMedia } from '../../support/builders.ts';
import { setOpenImports } from '../../support/open-imports.ts';

const root = join(import.meta.dirname, '../../..');
const operationOf: Readonly<Record<string, string>> = {
  'POST /v1/posts/bulk': 'createPosts',
  'GET /v1/accounts': 'listAccounts',
  'GET /v1/workspace': 'getWorkspace',
};

let table: Table;
let call: Call;
let server: Server;
let url: string;
/** Answers the next request instead of the service, if it returns a status. */
let intercept: (posts: readonly unknown[]) => number | undefined = () => undefined;
/** Number of upcoming responses to lose after the service has done what the request asks for. */
let lostResponses = 0;
beforeAll(async () => {
  ({ table, call } = await openApi());
  server = createServer(async (request, response) => {
    const rawBody = await text(request);
    const status = rawBody === '' ? undefined : intercept(JSON.parse(rawBody).posts);
    if (status !== undefined) {
      response.writeHead(status, { 'retry-after': '0' }).end('{"message":"Service Unavailable"}');
      return;
    }
    const { authorization = '' } = request.headers;
    const name = operationOf[`${request.method} ${request.url}`] ?? '';
    const answer = await call(name, { headers: { authorization }, ...(rawBody !== '' && { rawBody }) });
    if (rawBody !== '' && lostResponses > 0) {
      lostResponses -= 1;
      response.writeHead(503, { 'retry-after': '0' }).end('{"message":"Service Unavailable"}');
      return;
    }
    response.writeHead(answer.status, { ...answer.headers }).end(answer.text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

let directory: string;
let workspaceId: string;
let apiKey: string;
let account: Account;
let mediaUrl: string;
beforeEach(async () => {
  intercept = () => undefined;
  lostResponses = 0;
  directory = mkdtempSync(join(tmpdir(), 'import-'));
  const { context, apiKey: key } = await openWorkspace(table, { now: Date.now() });
  apiKey = key;
  workspaceId = context.workspaceId;
  account = await storeAccount(table, workspaceId, { username: 'harbour.coffee' });
  const media = await storeMedia(table, workspaceId);
  mediaUrl = `${mediaBaseUrl}/${media.objectKey}`;
});
afterEach(() => rmSync(directory, { recursive: true }));

const stored = async () => (await queryPosts(table, workspaceId, { limit: 500 })).posts;
const write = (name: string, content: string) => {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
};
const drafts = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify({ content: `Post ${index}`, isDraft: true }),
  ).join('\n');
const linked = (make: (target: string, path: string) => void, file: string) => {
  const path = `${file}.link`;
  make(file, path);
  return path;
};
const reportOf = (file: string): LineResult[] =>
  readFileSync(`${file}.report.ndjson`, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const wordsFor = (file: string, ...words: string[]) => ['posts', 'import', file, '--url', url, ...words];

/** Starts the command in this process. */
function start(file: string, ...words: string[]) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const shell = Object.assign(new EventEmitter(), { env: { HERALD_API_KEY: apiKey }, stdout, stderr });
  const ended = main(wordsFor(file, ...words), shell).finally(() => {
    stdout.end();
    stderr.end();
  });
  return { shell, done: ended.then((exitCode) => withTexts(stdout, stderr, exitCode)) };
}

/** Starts the command in a process of its own, as operators do. */
function startProcess(file: string) {
  const { AWS_PROFILE: _, ...environment } = process.env;
  const child = spawn(process.execPath, [join(root, 'bin/admin.ts'), ...wordsFor(file)], {
    env: { ...environment, HERALD_API_KEY: apiKey },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit').then(([exitCode]) => exitCode as number | null);
  return { child, done: withTexts(child.stdout, child.stderr, ended) };
}

async function withTexts<Code>(out: Readable, err: Readable, code: Code | Promise<Code>) {
  const [stdout, stderr, exitCode] = await Promise.all([text(out), text(err), code]);
  return { stdout, stderr, exitCode };
}
const run = (file: string, ...words: string[]) => start(file, ...words).done;

describe('npm run admin -- posts import', () => {
  it('creates the posts of a CSV file, and reports each line', async () => {
    const file = write(
      'posts.csv',
      [
        'content,scheduledFor,accounts,media,externalId,metadata.campaign',
        `"Fresh bread, every ""morning""",auto,instagram:Harbour.Coffee,${mediaUrl},bread-1,spring`,
        `No picture,auto,${account.id},,,`,
        ',2020-01-01T00:00:00Z,instagram:harbour.coffee,,,',
        'A draft,,,,,',
        'Who?,auto,instagram:nobody,,,',
        'too,few',
        '"Two',
        'lines",,,,,',
      ].join('\r\n'),
    );
    const { stdout, exitCode } = await run(file, '--workspace', workspaceId);
    expect([exitCode, stdout]).toEqual([1, `3 created, 4 invalid. Report: ${file}.report.ndjson\n`]);
    expect(reportOf(file)).toMatchObject([
      { line: 2, status: 'created', problems: [] },
      { line: 3, status: 'invalid', problems: [{ field: 'mediaItems' }] },
      { line: 4, status: 'invalid', postId: null },
      { line: 5, status: 'created' },
      {
        line: 6,
        status: 'invalid',
        problems: [{ field: 'accounts', message: expect.stringContaining('nobody') }],
      },
      {
        line: 7,
        status: 'invalid',
        problems: [{ field: 'line', message: 'has 2 columns; the header has 6' }],
      },
      { line: 8, status: 'created' },
    ]);
    const posts = await stored();
    expect(posts).toHaveLength(3);
    expect(posts.find(({ status }) => status === 'scheduled')).toMatchObject({
      content: 'Fresh bread, every "morning"',
      externalId: 'bread-1',
      metadata: '{"campaign":"spring"}',
      targets: [{ accountId: account.id }],
    });
    expect(posts.map(({ content }) => content)).toContain('Two\r\nlines');
  });

  it('creates the posts of an NDJSON file, in several requests', async () => {
    const file = write('posts.ndjson', `${drafts(230)}\n\nnot JSON\n[]\n`);
    const sizes: number[] = [];
    intercept = (posts) => void sizes.push(posts.length);
    const { stdout, exitCode } = await run(file);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('230 created, 2 invalid')]);
    expect(sizes).toEqual([100, 100, 30]);
    expect(reportOf(file).slice(-2)).toMatchObject([
      { line: 232, problems: [{ field: 'line', message: 'must be a JSON object' }] },
      { line: 233, problems: [{ field: 'line', message: 'must be a JSON object' }] },
    ]);
    expect(await stored()).toHaveLength(230);
  });

  it('creates nothing twice if it runs again', async () => {
    const file = write('posts.ndjson', drafts(5));
    expect((await run(file)).exitCode).toBe(0);
    expect(await run(file)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('5 replayed') });
    expect(await stored()).toHaveLength(5);
  });

  it('checks every line and creates nothing in a dry run', async () => {
    const file = write('posts.ndjson', `${drafts(3)}\n{"content":7}`);
    const { stdout, exitCode } = await run(file, '--dry-run');
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('3 valid, 1 invalid')]);
    expect(reportOf(file)[3]).toMatchObject({ line: 4, problems: [{ field: 'content' }] });
    expect(await stored()).toEqual([]);
  });

  it('repeats requests that fail for a passing reason', async () => {
    const file = write('posts.ndjson', drafts(3));
    const statuses = [503, 429, 500];
    intercept = () => statuses.shift();
    expect(await run(file)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('3 created') });
    expect(await stored()).toHaveLength(3);
  });

  it.each([['absent'], ['null']])(
    'creates a post once if the response gets lost and its key is %s',
    async (key) => {
      const post = { content: 'Once', isDraft: true, ...(key === 'null' && { idempotencyKey: null }) };
      const file = write('posts.ndjson', JSON.stringify(post));
      lostResponses = 1;
      expect(await run(file)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('1 replayed') });
      expect(await stored()).toHaveLength(1);
    },
  );

  it('reports the lines whose own keys were first used with another body', async () => {
    const line = (content: string, place = '') =>
      JSON.stringify({ content, isDraft: true, idempotencyKey: 'bread', externalId: place || null });
    expect((await run(write('first.ndjson', line('Bread')))).exitCode).toBe(0);
    const file = write('second.ndjson', `${line('Bread')}\n${line('Cake')}\n${line('Bread', 'shop')}`);
    expect(await run(file)).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('3 replayed'),
      stderr: expect.stringContaining('keys belong to other posts: 2.'),
    });
    const mismatch = [{ field: 'idempotencyKey', message: expect.stringContaining('another body') }];
    expect(reportOf(file).map(({ status, problems }) => [status, problems])).toEqual([
      ['replayed', []],
      ['replayed', mismatch],
      ['replayed', mismatch],
    ]);
    expect(await stored()).toHaveLength(1);
  });

  it.each<[how: string, report: (file: string) => string]>([
    ['its name', (file) => file],
    ['another path', (file) => `${directory}/./${basename(file)}`],
    ['a symbolic link', (file) => linked(symlinkSync, file)],
    ['a hard link', (file) => linked(linkSync, file)],
  ])('does not write its report over the file of the posts, given by %s', async (_how, report) => {
    const file = write('posts.ndjson', drafts(2));
    expect(await run(file, '--report', report(file))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('is the file of the posts itself'),
    });
    expect(readFileSync(file, 'utf8')).toBe(drafts(2));
    expect(await stored()).toEqual([]);
  });

  it('writes its report over an older one', async () => {
    const file = write('posts.ndjson', drafts(1));
    const report = write('report.txt', 'old');
    expect((await run(file, '--report', report)).exitCode).toBe(0);
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ line: 1, status: 'created' });
  });

  it.each([
    ['in this process', start],
    ['in a process of its own', startProcess],
  ])('stops cleanly on Ctrl-C, and continues when it runs again, %s', async (_where, begin) => {
    const file = write('posts.ndjson', drafts(350));
    let requests = 0;
    const running = begin(file);
    const interrupt = () =>
      'child' in running ? running.child.kill('SIGINT') : running.shell.emit('SIGINT');
    intercept = () => {
      requests += 1;
      if (requests === 2) interrupt();
      return undefined;
    };
    const stopped = await running.done;
    expect([stopped.exitCode, stopped.stderr]).toEqual([
      2,
      expect.stringMatching(/^Stopped after line \d+\. Run the same command again to continue/m),
    ]);
    const created = (await stored()).length;
    expect(reportOf(file)).toHaveLength(created);
    // The signal may reach another process after the response.
    expect('child' in running ? [200, 300] : [200]).toContain(created);
    intercept = () => undefined;
    const again = await run(file);
    expect(again).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`${350 - created} created, ${created} replayed`),
    });
    expect(await stored()).toHaveLength(350);
  });

  const impossible: readonly [what: string, file: () => string, words: () => string[], problem: string][] = [
    [
      'a key of another workspace',
      () => write('a.ndjson', '{}'),
      () => ['--workspace', account.id],
      'belongs to the workspace',
    ],
    ['an unknown column', () => write('a.csv', 'content,when\n'), () => [], 'the column "when" is unknown'],
    [
      'a column twice',
      () => write('a.csv', 'content,content\n'),
      () => [],
      'the column "content" is there twice',
    ],
    ['an empty CSV file', () => write('a.csv', ''), () => [], 'the first row must name the columns'],
    ['a quote that is not closed', () => write('a.csv', 'content\n"open\n'), () => [], 'Quote Not Closed'],
    ['another kind of file', () => write('a.xlsx', ''), () => [], 'must end with .csv or .ndjson'],
    ['no file', () => join(directory, 'missing.csv'), () => [], 'no such file'],
    ['a value for --dry-run', () => write('a.csv', ''), () => ['--dry-run=no'], '--dry-run takes no value'],
  ];
  it.each(impossible)(
    'says what is wrong with %s, and creates nothing',
    async (_what, file, words, problem) => {
      const { exitCode, stderr } = await run(file(), ...words());
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(problem)]);
      expect(await stored()).toEqual([]);
    },
  );

  it('says so if the key is missing or wrong', async () => {
    const file = write('posts.ndjson', drafts(1));
    apiKey = '';
    expect(await run(file)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('HERALD_API_KEY is missing'),
    });
    apiKey = 'yay_wrong';
    expect(await run(file)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('401') });
  });

  it('describes every column in its help', async () => {
    const { stdout } = await run('', '--help');
    for (const column of Object.keys(csvColumns)) expect(stdout).toContain(`  ${column} `);
  });
});

describe('posts whose files find no room among the open imports', () => {
  const importing = (index: number): FileRecord => ({
    line: index + 1,
    endByte: index,
    parsed: {
      body: {
        platforms: [{ accountId: account.id }],
        mediaItems: [{ url: `https://files.example.com/${index}.jpg` }],
      },
    },
  });
  /** Imports five such posts. @param onWait what happens at each wait */
  async function importFive(onWait: (waits: number) => Promise<void>) {
    const waitedMs: number[] = [];
    const results: LineResult[] = [];
    const stopped = new AbortController();
    const wait = async (milliseconds: number) => {
      waitedMs.push(milliseconds);
      await onWait(waitedMs.length);
    };
    const run = {
      api: { url, apiKey, wait },
      isDryRun: false,
      keyPrefix: 'room',
      signal: stopped.signal,
      report: async (lines: readonly LineResult[]) => void results.push(...lines),
    };
    await importRecords(
      run,
      (async function* () {
        for (let index = 0; index < 5; index += 1) yield importing(index);
      })(),
    );
    return { waitedMs, statuses: results.map(({ status }) => status), results };
  }

  it('are created when earlier imports have ended', async () => {
    await setOpenImports(table, workspaceId, maxOpenImports - 2);
    const { waitedMs, statuses } = await importFive((waits) =>
      setOpenImports(table, workspaceId, maxOpenImports - waits),
    );
    expect(statuses).toEqual(Array(5).fill('created'));
    expect(waitedMs).toEqual([60_000, 60_000]);
    expect(await stored()).toHaveLength(5);
  });

  it('fail after an hour without room, with the reason', async () => {
    await setOpenImports(table, workspaceId, maxOpenImports);
    const { waitedMs, statuses, results } = await importFive(async () => {});
    expect(statuses).toEqual(Array(5).fill('failed'));
    expect(waitedMs).toHaveLength(60);
    expect(results[0]?.error).toContain('500 open imports');
  });
});

describe('the lines of a file', () => {
  const all = async (records: AsyncIterable<FileRecord>) => {
    const found: FileRecord[] = [];
    for await (const record of records) found.push(record);
    return found;
  };
  const noAccount = () => ({ problem: 'none' });

  it('have the numbers that an editor shows', async () => {
    const csv = write('a.csv', '\uFEFFcontent\n\nfirst\n"second\nin two"\n\nthird\n');
    const records = await all(readCsv(csv, noAccount));
    const unended = write('b.csv', 'content\r\n\r\n"in\r\ntwo"\r\nlast');
    expect((await all(readCsv(unended, noAccount))).map(({ line }) => line)).toEqual([3, 5]);
    expect(records.map(({ line, parsed }) => [line, 'body' in parsed && parsed.body?.['content']])).toEqual([
      [3, 'first'],
      [4, 'second\nin two'],
      [7, 'third'],
    ]);
    const ndjson = write('a.ndjson', '\uFEFF{"content":"a"}\r\n\r\n{"content":"b"}');
    expect((await all(readNdjson(ndjson))).map(({ line }) => line)).toEqual([1, 3]);
  });

  it('without destinations are drafts only if they have no time', async () => {
    const csv = write('a.csv', 'content,scheduledFor\ndraft,\nplanned,auto\n');
    expect((await all(readCsv(csv, noAccount))).map(({ parsed }) => 'body' in parsed && parsed.body)).toEqual(
      [
        { content: 'draft', isDraft: true },
        { content: 'planned', scheduledFor: 'auto' },
      ],
    );
  });
});

describe('an account of the column accounts', () => {
  const [one, two, three] = ['0190a0e0-0000-7000-8000-000000000001', '2', '3'];
  const find = accountFinder([
    { id: one, platform: 'instagram', username: 'Harbour' },
    { id: two, platform: 'threads', username: 'twin' },
    { id: three, platform: 'threads', username: 'Twin' },
  ]);
  it.each([
    ['an id', '0190a0e0-0000-7000-8000-00000000000f', { id: '0190a0e0-0000-7000-8000-00000000000f' }],
    ['a name in other letters', 'Instagram:@harbour', { id: one }],
    ['a name that nobody has', 'instagram:bakery', { problem: expect.stringContaining('no account') }],
    ['a name that two have', 'threads:twin', { problem: expect.stringContaining('several') }],
  ])('is found by %s', (_what, name, found) => {
    expect(find(name)).toEqual(found);
  });
});

describe('the progress', () => {
  const shown = (isTTY: boolean) => {
    const written: string[] = [];
    const progress = new Progress({ isTTY, columns: 70, write: (line) => written.push(line) }, 1_000);
    progress.show({ ...noCounts, created: 500 }, 250);
    progress.show({ ...noCounts, created: 1_999, invalid: 1 }, 1_000);
    progress.end();
    return written;
  };

  it('is one line that is redrawn on a terminal', () => {
    expect(shown(true)).toEqual([
      `\r\u001b[K[${'#'.repeat(6)}${'-'.repeat(18)}] 25%  500 created`,
      `\r\u001b[K[${'#'.repeat(24)}]100%  1,999 created, 1 invalid`,
      '\n',
    ]);
  });

  it('is a plain line for every thousand lines elsewhere', () => {
    expect(shown(false)).toEqual(['100%  1,999 created, 1 invalid\n']);
  });
});
