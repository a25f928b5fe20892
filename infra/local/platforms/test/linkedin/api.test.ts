import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMedia } from '../support/media.ts';
import { commentScopes, type Fixture, openFixture, postOf, type Session, scopes } from './support.ts';

let linkedin: Fixture;
let member: Session;
let organization: Session;
beforeEach(async () => {
  linkedin = await openFixture();
  member = await linkedin.connect('member');
  organization = await linkedin.connect('organization');
});
afterEach(() => linkedin.close());

const acls = 'rest/organizationAcls?q=roleAssignee';
const poll = {
  question: 'Coffee?',
  options: [{ text: 'Yes' }, { text: 'No' }],
  settings: { duration: 'THREE_DAYS' },
};

describe('every call', () => {
  it.each([
    [{ 'linkedin-version': undefined }, 400, 'VERSION_MISSING'],
    [{ 'linkedin-version': '202511' }, 426, 'NONEXISTENT_VERSION'],
    [{ 'linkedin-version': '2026-09' }, 426, 'NONEXISTENT_VERSION'],
    [{ 'x-restli-protocol-version': undefined }, 400, 'ILLEGAL_ARGUMENT'],
    [{ authorization: undefined }, 401, 'EMPTY_ACCESS_TOKEN'],
    [{ authorization: 'Bearer guess' }, 401, 'INVALID_ACCESS_TOKEN'],
  ])('with %o is refused', async (headers, status, code) => {
    const answer = await linkedin.call(organization, 'GET', acls, undefined, headers);
    expect(answer).toMatchObject({ status, body: { status, code } });
  });

  it('is refused if the token is 60 days old', async () => {
    linkedin.advance(60 * 86_400);
    const { body } = await linkedin.call(organization, 'GET', acls);
    expect(body).toMatchObject({ status: 401, code: 'EXPIRED_ACCESS_TOKEN' });
  });

  it('needs encoded URNs', async () => {
    const { body } = await linkedin.call(organization, 'GET', 'rest/posts/urn:li:share:1');
    expect(body).toMatchObject({ status: 400, code: 'ILLEGAL_ARGUMENT' });
  });

  it('counts towards a quota that resets at midnight UTC', async () => {
    await linkedin.control('PUT', 'limits', { memberMemberCallsPerDay: 1 });
    expect((await linkedin.post(member)).status).toBe(201);
    const { status, body, headers } = await linkedin.post(member);
    expect([status, body.code]).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(body.message).toContain('MEMBER DAY');
    expect([headers.get('retry-after'), headers.get('x-li-uuid')]).toEqual([null, expect.any(String)]);
    linkedin.advance(12 * 3_600);
    expect((await linkedin.post(member, { commentary: 'Tomorrow' })).status).toBe(201);
  });

  it('to an unknown address has its own error', async () => {
    expect(await linkedin.call(member, 'GET', 'rest/shares')).toMatchObject({ status: 404 });
  });
});

describe('creating a post', () => {
  it('answers only the id, in a header', async () => {
    const { status, text, headers } = await linkedin.post(member);
    expect([status, text]).toEqual([201, '']);
    const id = headers.get('x-restli-id') ?? '';
    expect(id).toMatch(/^urn:li:share:\d{19}$/);
    expect(Number(BigInt(id.split(':').at(-1) ?? '') >> 22n)).toBe(linkedin.clock.time);
    expect(String(Number(id.split(':').at(-1)))).not.toBe(id.split(':').at(-1));
    expect(await linkedin.posts()).toMatchObject([
      {
        id,
        accountId: member.author,
        content: 'Hello',
        permalink: `https://www.linkedin.com/feed/update/${id}/`,
      },
    ]);
  });

  it.each(['author', 'commentary', 'visibility', 'distribution', 'lifecycleState'])(
    'needs %s',
    async (field) => {
      const answer = await linkedin.post(member, { [field]: undefined });
      expect(answer).toMatchObject({
        status: 400,
        body: {
          message: expect.stringContaining(`/${field}`),
          errorDetails: { inputErrors: [{ code: 'MISSING_FIELD' }] },
        },
      });
    },
  );

  it.each([
    [{ visibility: 'public' }, 'INVALID_VALUE_FOR_FIELD'],
    [{ lifecycleState: 'DRAFT' }, 'INVALID_VALUE_FOR_FIELD'],
    [{ commentary: 'a'.repeat(3_001) }, 'FIELD_LENGTH_TOO_LONG'],
    [{ commentary: ' ' }, 'INVALID_VALUE_BLANK_FIELD'],
    [{ content: { media: { id: 'urn:li:digitalmediaAsset:1' } } }, 'INVALID_URN_TYPE'],
    [{ content: { media: { id: 'urn:li:image:unknown' } } }, 'INVALID_URN_ID'],
    [{ content: { multiImage: { images: [{ id: 'urn:li:image:1' }] } } }, 'INVALID_VALUE_FOR_FIELD'],
    [{ content: { article: { source: 'https://example.com/' } } }, 'MISSING_FIELD'],
    [{ content: { poll: { ...poll, question: 'a'.repeat(141) } } }, 'INVALID_VALUE_FOR_FIELD'],
    [{ content: { poll: { ...poll, options: [{ text: 'Yes' }] } } }, 'INVALID_VALUE_FOR_FIELD'],
    [{ content: { poll: { ...poll, options: Array(5).fill({ text: 'Yes' }) } } }, 'INVALID_VALUE_FOR_FIELD'],
    [{ content: { poll: { ...poll, options: ['Yes', 'No'] } } }, 'INVALID_VALUE_FOR_FIELD'],
    [{ content: { poll: { ...poll, settings: undefined } } }, 'MISSING_FIELD'],
    [{ content: { poll, article: { source: 'https://a.example/', title: 'A' } } }, 'INVALID_VALUE_FOR_FIELD'],
    [{ reshareContext: { parent: 'urn:li:activity:7045020441609936898' } }, 'INVALID_URN_TYPE'],
    [{ reshareContext: { parent: 'urn:li:share:1' }, content: { poll } }, 'INVALID_VALUE_FOR_FIELD'],
  ])('refuses %o', async (changes, code) => {
    const { body } = await linkedin.post(member, changes);
    expect(body.errorDetails.inputErrors[0]?.code).toBe(code);
    expect(await linkedin.posts()).toEqual([]);
  });

  it('is allowed only for authors that the token may write as', async () => {
    const as = (session: Session, { author }: Session) => linkedin.post(session, { author });
    expect(await as(member, organization)).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } });
    expect((await as(organization, member)).status).toBe(403);
    expect((await as(await linkedin.connect('member', 'north.light'), member)).status).toBe(403);
    expect((await linkedin.post(organization)).status).toBe(201);
  });

  it('silently cuts the text at an unescaped reserved character', async () => {
    await linkedin.post(member, { commentary: 'At six (in the morning) #coffee' });
    await linkedin.post(member, {
      commentary: String.raw`At six \(in the morning\) #coffee {hashtag|\#|boats}`,
    });
    expect(await linkedin.posts()).toMatchObject([
      { content: 'At six ', details: { isCut: true } },
      { content: 'At six (in the morning) #coffee #boats', details: { isCut: false } },
    ]);
  });

  it('refuses a duplicate for ten minutes, and names the existing post', async () => {
    const { headers } = await linkedin.post(member);
    const again = await linkedin.post(member);
    expect(again).toMatchObject({
      status: 422,
      body: {
        message: `Content is a duplicate of ${headers.get('x-restli-id')}`,
        errorDetails: { inputErrors: [{ code: 'DUPLICATE_POST' }] },
        status: 422,
      },
    });
    expect((await linkedin.post(organization)).status).toBe(201);
    expect((await linkedin.post(member, { commentary: 'Else' })).status).toBe(201);
    linkedin.advance(601);
    expect((await linkedin.post(member)).status).toBe(201);
  });
});

describe('an image', () => {
  it('must be processed and belong to the author', async () => {
    const image = await linkedin.image(organization);
    const post = (session: Session) => linkedin.post(session, { content: { media: { id: image } } });
    expect((await post(organization)).body.errorDetails.inputErrors[0]?.code).toBe(
      'MEDIA_ASSET_WAITING_UPLOAD',
    );
    linkedin.advance(2);
    expect((await post(member)).body.errorDetails.inputErrors[0]?.code).toBe('INVALID_URN_ID');
    expect((await post(organization)).status).toBe(201);
  });

  it('can be read only with an organization’s token', async () => {
    const read = async (session: Session) =>
      linkedin.call(session, 'GET', `rest/images/${encodeURIComponent(await linkedin.image(session))}`);
    expect((await read(organization)).body).toMatchObject({ status: 'PROCESSING' });
    expect(await read(member)).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } });
  });

  it('can be uploaded once, with the token', async () => {
    const { body } = await linkedin.call(member, 'POST', 'rest/images?action=initializeUpload', {
      initializeUploadRequest: { owner: member.author },
    });
    const bytes = await readMedia('square.jpg');
    const { uploadUrl } = body.value;
    const authorization = `Bearer ${member.token}`;
    expect((await linkedin.put(uploadUrl, bytes)).status).toBe(401);
    expect((await linkedin.put(uploadUrl, bytes, { authorization })).status).toBe(201);
    expect((await linkedin.put(uploadUrl, bytes, { authorization })).status).toBe(400);
  });

  it('cannot be uploaded for another author', async () => {
    const answer = await linkedin.call(member, 'POST', 'rest/images?action=initializeUpload', {
      initializeUploadRequest: { owner: organization.author },
    });
    expect(answer.status).toBe(403);
  });
});

describe('a video', () => {
  const octets = { 'content-type': 'application/octet-stream' };
  const finalize = (video: string, uploadedPartIds: unknown, uploadToken = '') =>
    linkedin.call(organization, 'POST', 'rest/videos?action=finalizeUpload', {
      finalizeUploadRequest: { video, uploadToken, uploadedPartIds },
    });
  const status = async (video: string) =>
    (await linkedin.call(organization, 'GET', `rest/videos/${encodeURIComponent(video)}`)).body.status;

  it('has parts of 4 MiB, each with its own address', async () => {
    const { body } = await linkedin.beginVideo(organization, 2 * 4_194_304 + 1);
    const { uploadInstructions, uploadToken } = body.value;
    expect(uploadToken).toBe('');
    expect(uploadInstructions.map(({ firstByte, lastByte }) => [firstByte, lastByte])).toEqual([
      [0, 4_194_303],
      [4_194_304, 8_388_607],
      [8_388_608, 8_388_608],
    ]);
    expect(new Set(uploadInstructions.map(({ uploadUrl }) => uploadUrl)).size).toBe(3);
  });

  it('accepts only complete parts, with or without a token, and finalizes only with all parts in order', async () => {
    const bytes = Buffer.alloc(4_194_304 + 100);
    const { body } = await linkedin.beginVideo(organization, bytes.length);
    const { video, uploadInstructions } = body.value;
    const [first = '', second = ''] = uploadInstructions.map(({ uploadUrl }) => uploadUrl);
    const [head, tail] = [bytes.subarray(0, 4_194_304), bytes.subarray(4_194_304)];
    expect((await linkedin.put(first, head.subarray(1), octets)).status).toBe(400);
    expect((await linkedin.put(first, head)).status).toBe(415);
    const authorization = `Bearer ${organization.token}`;
    expect((await linkedin.put(second, tail, { ...octets, authorization })).status).toBe(200);
    const etags: unknown[] = [];
    for (const [part, uploadUrl] of [
      [head, first],
      [tail, second],
    ] as const) {
      const answer = await linkedin.put(uploadUrl, part, octets);
      expect(answer.status).toBe(200);
      etags.push(answer.headers.get('etag'));
    }
    expect(await status(video)).toBe('WAITING_UPLOAD');
    for (const wrong of [[...etags].reverse(), etags.slice(1), 'etags']) {
      expect((await finalize(video, wrong)).status).toBe(400);
    }
    expect((await finalize(video, etags, 'token')).status).toBe(400);
    expect((await finalize(video, etags)).status).toBe(200);
    expect((await finalize(video, etags)).status).toBe(400);
  });

  it('survives a restart, is processed, and is posted with its own bytes', async () => {
    const bytes = await readMedia('video.mp4');
    const { body } = await linkedin.beginVideo(organization, bytes.length);
    const { video, uploadInstructions } = body.value;
    const { headers } = await linkedin.put(uploadInstructions[0]?.uploadUrl ?? '', bytes, octets);
    await linkedin.restart();
    expect((await finalize(video, [headers.get('etag')])).status).toBe(200);
    expect(await status(video)).toBe('PROCESSING');
    linkedin.advance(10);
    expect(await status(video)).toBe('AVAILABLE');
    await linkedin.post(organization, { content: { media: { id: video } } });
    expect(await linkedin.posts()).toMatchObject([
      { id: expect.stringMatching(/^urn:li:ugcPost:/), media: [{ type: 'video/mp4', bytes: bytes.length }] },
    ]);
  });

  it('has the cover that was uploaded, if its upload asked for one', async () => {
    const [bytes, cover] = await Promise.all([readMedia('video.mp4'), readMedia('square.jpg')]);
    expect((await linkedin.beginVideo(organization, bytes.length)).body.value.thumbnailUploadUrl).toBe(
      undefined,
    );
    const { body } = await linkedin.beginVideo(organization, bytes.length, { uploadThumbnail: true });
    const { video, uploadInstructions, thumbnailUploadUrl = '' } = body.value;
    expect((await linkedin.put(thumbnailUploadUrl, cover)).status).toBe(415);
    expect((await linkedin.put(thumbnailUploadUrl, bytes, octets)).status).toBe(400);
    expect((await linkedin.put(thumbnailUploadUrl, cover, octets)).status).toBe(201);
    const { headers } = await linkedin.put(uploadInstructions[0]?.uploadUrl ?? '', bytes, octets);
    await finalize(video, [headers.get('etag')]);
    linkedin.advance(10);
    await linkedin.post(organization, { content: { media: { id: video } } });
    expect(await linkedin.posts()).toMatchObject([{ cover: { type: 'image/jpeg', bytes: cover.length } }]);
  });

  it.each([
    ['too small', 76_799, 400],
    ['empty', 0, 400],
    ['the largest', 524_288_000, 200],
    ['too large', 524_288_001, 400],
  ])('that is %s: %i bytes answer %i', async (_name, size, expected) => {
    expect((await linkedin.beginVideo(organization, size)).status).toBe(expected);
  });
});

describe('reading posts', () => {
  const find = (session: Session, author: string, headers: Record<string, string | undefined> = {}) =>
    linkedin.call(session, 'GET', `rest/posts?q=author&author=${encodeURIComponent(author)}`, undefined, {
      'x-restli-method': 'FINDER',
      ...headers,
    });

  it('returns those of an organization, with hashtags as templates', async () => {
    await linkedin.post(organization, { commentary: String.raw`\(six\) #coffee` });
    const publishedAt = linkedin.clock.time;
    expect((await find(organization, organization.author)).body.elements).toEqual([]);
    linkedin.advance(3);
    const { body } = await find(organization, organization.author);
    expect(body.elements).toMatchObject([
      {
        commentary: String.raw`\(six\) {hashtag|\#|coffee}`,
        lifecycleState: 'PUBLISHED',
        publishedAt,
      },
    ]);
    const { body: one } = await linkedin.call(
      organization,
      'GET',
      `rest/posts/${encodeURIComponent(body.elements[0]?.id ?? '')}`,
    );
    expect(one).toEqual(body.elements[0]);
  });

  it('returns them in pages', async () => {
    for (const commentary of ['One', 'Two', 'Three']) {
      linkedin.advance(1);
      await linkedin.post(organization, { commentary });
    }
    linkedin.advance(3);
    const page = async (start: number) => {
      const author = encodeURIComponent(organization.author);
      const path = `rest/posts?q=author&author=${author}&start=${start}&count=2`;
      const headers = { 'x-restli-method': 'FINDER' };
      const { body } = await linkedin.call(organization, 'GET', path, undefined, headers);
      return body.elements.map(({ commentary }) => commentary);
    };
    expect(await page(0)).toEqual(['Three', 'Two']);
    expect(await page(2)).toEqual(['One']);
    expect(await page(4)).toEqual([]);
  });

  it('is never allowed for the posts of a person', async () => {
    await linkedin.post(member);
    expect((await find(member, member.author)).status).toBe(403);
    expect((await find(organization, member.author)).status).toBe(403);
  });

  it('needs the finder header', async () => {
    expect((await find(organization, organization.author, { 'x-restli-method': undefined })).status).toBe(
      400,
    );
  });
});

it('keeps its state across a restart', async () => {
  await linkedin.post(member);
  await linkedin.restart();
  expect(await linkedin.posts()).toHaveLength(1);
  expect((await linkedin.call(member, 'GET', 'v2/userinfo')).body).toMatchObject({ name: 'harbour.coffee' });
  expect((await linkedin.call(member, 'POST', 'rest/posts', postOf(member))).status).toBe(422);
});

describe('a poll', () => {
  it('is listed with its question and its options', async () => {
    await linkedin.post(organization, { commentary: '', content: { poll } });
    linkedin.advance(3);
    const author = encodeURIComponent(organization.author);
    const { body } = await linkedin.call(
      organization,
      'GET',
      `rest/posts?q=author&author=${author}`,
      undefined,
      { 'x-restli-method': 'FINDER' },
    );
    expect(body.elements).toMatchObject([
      { id: expect.stringMatching(/^urn:li:ugcPost:/), content: { poll } },
    ]);
  });
});

describe('a reshare', () => {
  const reshare = (parent: string) =>
    linkedin.post(organization, { commentary: 'Look', reshareContext: { parent } });

  it('shows its parent and the first post of the series', async () => {
    const parent = 'urn:li:ugcPost:7045020441609936898';
    const { headers } = await reshare(parent);
    const first = headers.get('x-restli-id') ?? '';
    await reshare(first);
    expect(await linkedin.posts()).toMatchObject([
      { details: { reshareContext: { parent, root: parent } } },
      { details: { reshareContext: { parent: first, root: parent } } },
    ]);
  });

  it('is refused if the author has disabled it', async () => {
    const { headers } = await linkedin.post(member, { isReshareDisabledByAuthor: true });
    expect((await reshare(headers.get('x-restli-id') ?? '')).status).toBe(403);
  });
});

describe('a comment', () => {
  const comment = (session: Session, urn: string, changes: Record<string, unknown> = {}) =>
    linkedin.call(session, 'POST', `rest/socialActions/${encodeURIComponent(urn)}/comments`, {
      actor: session.author,
      object: urn,
      message: { text: 'First' },
      ...changes,
    });
  const posted = async (session: Session) => (await linkedin.post(session)).headers.get('x-restli-id') ?? '';

  it('needs a scope that the apps do not have by default', async () => {
    for (const session of [member, organization]) {
      const answer = await comment(session, await posted(session));
      expect(answer).toMatchObject({ status: 403, body: { code: 'ACCESS_DENIED' } });
    }
  });

  it('is written and listed by the organization', async () => {
    const session = await linkedin.connect('organization', undefined, { scope: commentScopes });
    const urn = await posted(session);
    expect((await comment(session, urn)).status).toBe(201);
    linkedin.advance(3);
    const address = `rest/socialActions/${encodeURIComponent(urn)}/comments`;
    expect((await linkedin.call(session, 'GET', address)).body.elements).toMatchObject([
      { actor: session.author, object: urn, message: { text: 'First' } },
    ]);
  });

  it.each([
    [{ actor: undefined }, 400],
    [{ actor: 'urn:li:organization:1' }, 403],
    [{ object: 'urn:li:share:1' }, 400],
    [{ message: 'First' }, 400],
    [{ message: { text: ' ' } }, 400],
    [{ message: { text: 'a'.repeat(1_251) } }, 400],
  ])('with %o is refused', async (changes, status) => {
    const session = await linkedin.connect('organization', undefined, { scope: commentScopes });
    expect((await comment(session, await posted(session), changes)).status).toBe(status);
  });

  it('is refused while the post is not visible', async () => {
    const session = await linkedin.connect('organization', undefined, { scope: commentScopes });
    await linkedin.set({ visibilityDelaySeconds: 10 });
    const urn = await posted(session);
    expect((await comment(session, urn)).status).toBe(404);
    linkedin.advance(10);
    expect((await comment(session, urn)).status).toBe(201);
  });
});

describe('a member of the app for organizations', () => {
  const scope = 'r_basicprofile w_member_social w_member_social_feed';

  it('has another id than in the app of members, and may comment', async () => {
    const { token, author } = await linkedin.connect('organization', undefined, { scope });
    const { body } = await linkedin.call({ token }, 'GET', 'v2/me');
    expect(body).toMatchObject({ localizedFirstName: 'harbour.coffee', vanityName: 'harbour-coffee' });
    const own = { token, author: `urn:li:person:${body.id}` };
    expect(own.author).not.toBe(member.author);
    expect((await linkedin.post({ token, author: member.author })).status).toBe(403);
    const urn = (await linkedin.post(own)).headers.get('x-restli-id') ?? '';
    const comment = { actor: own.author, object: urn, message: { text: 'First' } };
    const address = `rest/socialActions/${encodeURIComponent(urn)}/comments`;
    expect((await linkedin.call(own, 'POST', address, comment)).status).toBe(201);
    expect(author).not.toBe(own.author);
  });

  it('is not read without the permission', async () => {
    expect((await linkedin.call(organization, 'GET', 'v2/me')).status).toBe(403);
  });
});

describe('looking up whom to mention', () => {
  const find = (session: Session, finder: string) => linkedin.call(session, 'GET', `rest/${finder}`);
  const byVanityName = (name: string) => find(organization, `organizations?q=vanityName&vanityName=${name}`);

  it('finds any organization by its exact vanity name', async () => {
    const name = 'harbour-museum';
    await linkedin.control('POST', 'users', {
      username: 'somebody.else',
      organizations: [{ vanityName: name, name: 'Harbour Museum' }],
    });
    expect((await byVanityName('Harbour-Museum')).body.elements).toMatchObject([
      { id: expect.any(Number), localizedName: 'Harbour Museum', vanityName: name },
    ]);
    expect((await byVanityName('harbour')).body.elements).toEqual([]);
    expect((await find(member, 'organizations?q=vanityName&vanityName=x')).status).toBe(403);
  });

  it('finds followers by the beginning of a name, with a permission that few apps have', async () => {
    await linkedin.control('POST', 'users', {
      username: 'ada.keeper',
      name: 'Ada Keeper',
      organizations: [{ vanityName: 'harbour.coffee', follows: true }],
    });
    const by = (keywords: string) =>
      `peopleTypeahead?q=organizationFollowers&keywords=${keywords}&organization=${encodeURIComponent(organization.author)}`;
    expect((await find(organization, by('kee'))).status).toBe(403);
    const scope = `${scopes.organization} r_organization_followers`;
    const session = await linkedin.connect('organization', undefined, { scope });
    expect((await find(session, by('kee'))).body.elements).toMatchObject([
      { member: expect.stringMatching(/^urn:li:person:/), firstName: 'Ada', lastName: 'Keeper' },
    ]);
    expect((await find(session, by('eeper'))).body.elements).toEqual([]);
    expect((await find(session, by(''))).status).toBe(400);
  });
});
