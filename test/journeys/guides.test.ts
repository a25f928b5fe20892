import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Visitor } from '../../bin/dev/visitor.ts';
import { startReceiver } from '../lib/webhooks/receiver.ts';
import type { CloudVisit } from '../support/local-cloud.ts';
import { missingProgram } from '../support/missing-programs.ts';
import { visitSharedCloud } from '../support/shared-cloud.ts';
import { writeDevFile } from './support/admin.ts';
import { until } from './support/client.ts';
import {
  confirm,
  describeJourney,
  describeLoops,
  describePrograms,
  describeReceiver,
} from './support/guide-behaviour.ts';
import { blocksIn, node } from './support/guides.ts';
import { runInShell } from './support/shell.ts';

let cloud: CloudVisit;
visitSharedCloud((visit) => {
  cloud = visit;
});

describePrograms(node, [
  'herald',
  'connect',
  'post',
  'settle',
  'register',
  'receiver',
  'events',
  'receiver-express',
  'receiver-fastify',
  'feed',
]);

describe('a reader of docs/guides/node.md', () => {
  describeJourney(node, () => cloud);
});

describe('the loops of docs/guides/node.md', () => {
  describeLoops(node, {
    create: `import { herald } from './herald.mjs';
      await herald('POST', '/v1/posts', { content: 'x', idempotencyKey: 'key-1' }).then(
        ({ post }) => console.log(post.id),
        ({ status, body }) => console.log(status, body.code),
      );`,
    list: `import { all } from './herald.mjs';
      const names = [];
      for await (const { name } of all('things', { status: 'draft' })) names.push(name);
      console.log(names.join(' '));`,
    act: `import { actOn } from './settle.mjs';
      for (const post of JSON.parse(process.argv[2])) {
        console.log('post ' + post.id);
        await actOn(post);
      }`,
  });
});

describe('the receiver of docs/guides/node.md without a framework', () => {
  describeReceiver(node, 'receiver');
});

describe('a reader of docs/guides/curl.md', () => {
  const missing = ['curl', 'jq', 'openssl'].filter((name) => spawnSync(name, ['--version']).error);

  it('comes from zero to a post', async ({ skip }) => {
    skip(missing.length > 0, missingProgram(`${missing.join(', ')}: docs/guides/curl.md was not tried`));
    const receiver = await startReceiver();
    const folder = mkdtempSync(join(tmpdir(), 'guide-'));
    writeDevFile(cloud.dataDirectory, cloud);
    const [
      setting = '',
      helper = '',
      begin = '',
      claim = '',
      post = '',
      wait = '',
      retry = '',
      lists = '',
      hook = '',
      verify = '',
      ...more
    ] = blocksIn('docs/guides/curl.md', 'sh');
    expect(more).toEqual([]);
    const inShell = async (...commands: string[]) => {
      const { stdout } = await runInShell([setting, helper, ...commands].join('\n'), cloud);
      return stdout.trim().split('\n');
    };
    const replaced = (block: string, from: string, to: string) => {
      expect(block).toContain(from);
      return block.replace(from, () => to);
    };

    for (const network of ['threads', 'instagram']) {
      const [authUrl = '', state = ''] = await inShell(
        replaced(begin, 'NETWORK=threads', `NETWORK=${network}`),
        'jq -r .state <<< "$ATTEMPT"',
      );
      const end = await confirm(new Visitor(), authUrl);
      const finish = replaced(claim, 'http://localhost:8080/connected?code=…&state=…', end);
      const attempt = `ATTEMPT='{ "state": "${state}" }'`;
      expect(await inShell(attempt, finish)).toEqual(['"demo.studio"']);
    }

    const seen = await inShell(post, wait, retry, lists);
    const [instagram, threads, refusal, ...listed] = seen;
    expect([instagram, threads]).toEqual([
      expect.stringMatching(/^instagram published http/),
      expect.stringMatching(/^threads published http/),
    ]);
    expect(refusal).toMatch(/fail/);
    expect(listed[0]).toMatch(/^[0-9a-f-]{36} published$/);
    expect(JSON.parse(listed.slice(listed.indexOf('{')).join('\n'))).toMatchObject({
      hasMore: expect.any(Boolean),
    });

    const [type, secret = ''] = await inShell(`RECEIVER=${receiver.url}/herald`, hook, 'echo "$SECRET"');
    expect(type).toBe('webhook.test');
    const [request] = await until(
      () => receiver.received,
      ({ length }) => length > 0,
    );
    receiver.close();
    writeFileSync(join(folder, 'body.json'), request?.body ?? '');
    const signature = String(request?.headers['x-service-signature']);
    const check = (header: string) =>
      runInShell([`SECRET=${secret}`, replaced(verify, 't=…,v1=…', header)].join('\n'), {
        ...cloud,
        cwd: folder,
      });
    expect((await check(signature)).stdout).toBe('genuine\n');
    expect((await check(signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).stdout).toBe(
      'forged\n',
    );
    rmSync(folder, { recursive: true });
  });
});
