import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Visitor } from '../../../bin/dev/visitor.ts';
import { writeDevFile } from '../../journeys/support/admin.ts';
import { until } from '../../journeys/support/client.ts';
import {
  confirm,
  describeJourney,
  describeLoops,
  describePrograms,
  describeReceiver,
} from '../../journeys/support/guide-behaviour.ts';
import { blocksIn, node, python } from '../../journeys/support/guides.ts';
import { runInShell } from '../../journeys/support/shell.ts';
import { startReceiver } from '../../lib/webhooks/receiver.ts';
import type { CloudVisit } from '../../support/local-cloud.ts';
import { visitSharedCloud } from '../../support/shared-cloud.ts';

let cloud: CloudVisit;
visitSharedCloud((visit) => {
  cloud = visit;
});

// Unlike other tests, these fail if Python, jq or openssl is missing.
describePrograms(python, ['herald', 'connect', 'post', 'settle', 'register', 'receiver', 'events', 'feed']);

describe('a reader of docs/guides/python.md', () => {
  describeJourney(python, () => cloud);
});

describe('the loops of docs/guides/python.md', () => {
  describeLoops(python, {
    create: `from herald import herald, HeraldError
try:
    print(herald("POST", "/v1/posts", {"content": "x", "idempotencyKey": "key-1"})["post"]["id"])
except HeraldError as error:
    print(error.status, error.body["code"])`,
    list: `from herald import all_of
print(*(thing["name"] for thing in all_of("things", status="draft")))`,
    act: `import json, sys
from settle import act_on
for post in json.loads(sys.argv[1]):
    print("post", post["id"])
    act_on(post)`,
  });
});

describe('the receiver of docs/guides/python.md', () => {
  describeReceiver(python, 'receiver');
});

describe.each(['express', 'fastify'])('the receiver of docs/guides/node.md in %s', (framework) => {
  describeReceiver(node, `receiver-${framework}`);
});

describe('a reader of docs/guides/curl.md', () => {
  it('comes from zero to a post', async () => {
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
