import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { sealTokens } from '../../../lib/accounts/tokens/store.ts';
import { Vault } from '../../../lib/accounts/vault.ts';
import { type PostPictureContext, readPostPicture } from '../../../lib/automations/post-picture.ts';
import { pinnedConnections } from '../../../lib/http-client/address-guard/pinned-connections.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { fetchPictureOf } from '../../../lib/link-cards/fetch.ts';
import type { Render } from '../../../lib/media/renditions/render.ts';
import { runRenderTask } from '../../../lib/media/renditions/render-task.ts';
import { loadSharp } from '../../../lib/media/renditions/sharp.ts';
import { instagramMessages } from '../../../lib/platforms/instagram/messaging.ts';
import { tokensKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { openWorkspace, startMs, storeAccount } from '../../support/builders.ts';
import { memoryDataKeys } from '../../support/data-keys.ts';
import { openInstagram, type SimulatedInstagram } from '../../support/instagram.ts';
import { jpeg, png } from '../../support/media-files.ts';
import { createTestTable } from '../../support/table.ts';

const vault = new Vault(memoryDataKeys(), () => startMs);
const fixture = (name: string) => readFile(join(import.meta.dirname, '../../fixtures', name));
let instagram: SimulatedInstagram;
let table: Table;
let context: PostPictureContext;
let account: Account;
let postId: string;
let reports: string[];
let fetched: { url: string; owner: string }[];
/** The answer of the platform's host of pictures. */
let sent: { contentType: string; bytes: Buffer };

/** Renders in this process, without the bounds of the other one. */
const render: Render = async (recipe, { contentType, sizeBytes, readRange }, folder) => {
  const [inputPath, outputPath] = [join(folder, 'in'), join(folder, 'out')];
  await writeFile(inputPath, await readRange(0, sizeBytes - 1));
  const verdict = await runRenderTask({ recipe, contentType, inputPath, outputPath });
  return verdict.state === 'failed'
    ? verdict
    : { state: 'rendered', path: outputPath, sizeBytes: 0, sha256: '' };
};

beforeAll(async () => {
  instagram = await openInstagram();
  ({ id: postId } = await instagram.act('posts', { username: instagram.account.username, caption: 'Rolls' }));
});
beforeEach(async () => {
  table = await createTestTable();
  const opened = await openWorkspace(table);
  const { platformAccountId, username, tokens } = instagram.account;
  account = await storeAccount(table, opened.context.workspaceId, { platformAccountId, username });
  reports = [];
  fetched = [];
  sent = { contentType: 'image/jpeg', bytes: await fixture('media-corpus/photo.jpg') };
  context = {
    ...opened.context,
    vault,
    commentPlatformFor: (platform) => (platform === 'instagram' ? instagramMessages : undefined),
    toolsFor: async () => instagram.tools,
    fetchPicture: async (url, owner) => {
      fetched.push({ url, owner });
      return sent;
    },
    render,
    withFolder: async (use) => {
      const folder = await mkdtemp(join(tmpdir(), 'post-picture-'));
      try {
        return await use(folder);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
    report: (_message, details) =>
      void reports.push(String((details as { readonly problem: string }).problem)),
  };
  const obtainedAt = toTimestamp(startMs);
  const { accessToken } = tokens;
  const ciphertext = await sealTokens(vault, account, { accessToken, obtainedAt, scopes: [] });
  const key = tokensKey(account.workspaceId, account.id);
  const Item = { ...key, kind: 'tokens', ciphertext, version: 1, obtainedAt };
  await table.client.send(new PutCommand({ TableName: table.name, Item }));
});
afterAll(() => instagram.close());

const read = (id = postId) => readPostPicture(context, account.id, id);

/** Lets the platform name another address as that of the picture. */
const naming = (pictureUrl: string | null): void => {
  const readPost: typeof instagramMessages.readPost = async (request, tools) => {
    const post = await instagramMessages.readPost(request, tools);
    return post && { ...post, pictureUrl };
  };
  context = { ...context, commentPlatformFor: () => ({ ...instagramMessages, readPost }) };
};

describe('the picture of a post', () => {
  it('is fetched from where the platform says, and is made small', async () => {
    const picture = await read();
    expect(fetched).toEqual([
      { url: `https://scontent.cdninstagram.com/v/${postId}.jpg`, owner: account.workspaceId },
    ]);
    const bytes = Buffer.from(picture?.data ?? '', 'base64');
    const { format, width, height, exif } = await loadSharp()(bytes).metadata();
    expect([format, width, height, exif]).toEqual(['jpeg', 160, 160, undefined]);
    expect(bytes.length).toBeLessThan(32_768);
    expect(reports).toEqual([]);
  });

  it('is that of the simulator in the local run', async () => {
    const addressOf = (url: string) => url.replace('https://', 'http://127.0.0.1:4010/');
    const { tools } = instagram;
    context = { ...context, toolsFor: async () => ({ ...tools, http: { ...tools.http, addressOf } }) };
    await read();
    expect(fetched).toMatchObject([
      { url: `http://127.0.0.1:4010/scontent.cdninstagram.com/v/${postId}.jpg` },
    ]);
  });

  it.each([
    ['the platform names none', null],
    ['the address is not https', 'http://scontent.cdninstagram.com/v/1.jpg'],
    ['the address is none', 'picture'],
  ])('is none, and nothing is fetched, if %s', async (_, pictureUrl) => {
    naming(pictureUrl);
    expect(await read()).toBeNull();
    expect(fetched).toEqual([]);
  });

  it.each([
    ['https://10.0.0.1/picture.jpg', 'the URL must be at a public address'],
    ['https://169.254.169.254/latest/meta-data/', 'the URL must be at a public address'],
    ['https://localhost/picture.jpg', 'the URL must be at a public host, not one of a private network'],
    ['https://scontent.cdninstagram.com:22/v/1.jpg', 'the URL must have port 443 or 8443'],
    ['https://user@scontent.cdninstagram.com/v/1.jpg', 'the URL must not contain a user name or a password'],
  ])('is none at %s', async (pictureUrl, problem) => {
    naming(pictureUrl);
    const fetchPicture = fetchPictureOf(pinnedConnections(), { plainHttpHosts: new Set() });
    context = { ...context, fetchPicture };
    expect(await read()).toBeNull();
    expect(reports).toEqual([problem]);
  });

  it.each<[string, string, () => Buffer | Promise<Buffer>, RegExp]>([
    ['HTML', 'jpeg', () => Buffer.from('<html><script>alert(1)</script></html>'), /./],
    ['SVG', 'png', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), /./],
    ['a picture that is cut off', 'jpeg', () => fixture('media-corpus/cut-photo.jpg'), /./],
    ['a picture that moves', 'gif', () => fixture('media-corpus/animated.gif'), /moves/],
    ['nothing', 'jpeg', () => Buffer.alloc(0), /./],
    ['a PNG of billions of pixels', 'png', () => png(60_000, 60_000), /./],
    ['a JPEG of billions of pixels', 'jpeg', () => jpeg({ width: 60_000, height: 60_000 }), /./],
  ])('is none if its host sends %s', async (_, type, body, problem) => {
    sent = { contentType: `image/${type}`, bytes: await body() };
    expect(await read()).toBeNull();
    expect(reports).toEqual([expect.stringMatching(problem)]);
  });

  it('is unknown if the platform shows no such post to the account', async () => {
    for (const id of ['1', 'me', '../me', `${postId}?fields=id`, account.platformAccountId])
      await expect(read(id), id).rejects.toMatchObject({ code: 'not_found' });
    expect(fetched).toEqual([]);
  });

  it('is refused for other platforms, and for accounts that are unknown, disconnected or without a token', async () => {
    const { workspaceId } = account;
    const of = (id: string) => readPostPicture(context, id, postId);
    const threads = await storeAccount(table, workspaceId, { platform: 'threads' });
    await expect(of(threads.id)).rejects.toMatchObject({ code: 'account_platform' });
    await expect(of(newId(startMs))).rejects.toMatchObject({ code: 'not_found' });
    const { context: other } = await openWorkspace(table);
    const foreign = await storeAccount(table, other.workspaceId);
    await expect(of(foreign.id)).rejects.toMatchObject({ code: 'not_found' });
    const gone = await storeAccount(table, workspaceId, { disconnectedAt: toTimestamp(startMs) });
    await expect(of(gone.id)).rejects.toMatchObject({ code: 'not_found' });
    const without = await storeAccount(table, workspaceId);
    await expect(of(without.id)).rejects.toMatchObject({ code: 'account_expired' });
    expect(fetched).toEqual([]);
  });
});
