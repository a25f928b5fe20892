import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { RuleCode } from '../../../../lib/platforms/contract/rules.ts';
import { createPost } from '../../../../lib/posts/create.ts';
import { editPost } from '../../../../lib/posts/edit.ts';
import { validatePost } from '../../../../lib/posts/validate.ts';
import { createTestTable } from '../../../support/table.ts';
import { inOneHour, openFixture, refusalsOf } from '../fixture.ts';

const rules = {
  options: {
    schema: z.object({ privacy: z.string() }).partial(),
    notOffered: ['publishAt'],
    otherNames: { audience: 'privacy' },
  },
  check: () => [],
  leadSeconds: () => 0,
};

let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeAll(async () => {
  const { context, ...rest } = await openFixture(await createTestTable());
  fixture = { ...rest, context: { ...context, rulesFor: () => rules } };
});

const field = (name: string) => `platforms[0].platformSpecificData.${name}`;
const withOptions = (platformSpecificData: object, more: object = {}) =>
  fixture.body({ platforms: [{ accountId: fixture.youtube.id, platformSpecificData }], ...more });
const finding = (name: string, code: RuleCode, message: string) => ({
  accountId: fixture.youtube.id,
  platform: 'youtube',
  field: field(name),
  code,
  message,
});

describe('an option of a destination', () => {
  it.each(['publishAt', 'publish_at'])('%s, which the platform has and we lack, is refused', async (name) => {
    const { problems } = await validatePost(fixture.context, withOptions({ [name]: 'now' }));
    expect(problems).toEqual([finding(name, 'option_not_supported', 'is not supported; leave it out')]);
  });

  it('that has another name here is refused with that name', async () => {
    const { problems } = await validatePost(fixture.context, withOptions({ audience: 'all' }));
    expect(problems).toEqual([
      finding('audience', 'option_not_supported', 'is not supported; use privacy instead'),
    ]);
  });

  it.each([
    ['privcay', 'is not an option of YouTube and is ignored; did you mean privacy?'],
    ['colour', 'is not an option of YouTube and is ignored'],
  ])('%s, which nobody has, gets a warning', async (name, message) => {
    const found = await validatePost(fixture.context, withOptions({ [name]: 'red' }));
    expect(found).toEqual({ problems: [], warnings: [finding(name, 'option_unknown', message)] });
  });

  it('is not mentioned if its value is null', async () => {
    const found = await validatePost(fixture.context, withOptions({ publishAt: null, colour: null }));
    expect(found).toEqual({ problems: [], warnings: [] });
  });

  it('that was accepted earlier does not keep the rest of a scheduled post from being changed', async () => {
    const accepting = { ...rules, options: { ...rules.options, notOffered: [] } };
    const former = { ...fixture.context, rulesFor: () => accepting };
    const { post } = await createPost(
      former,
      withOptions({ publishAt: 'now' }, { scheduledFor: inOneHour }),
      {
        rawBody: '',
      },
    );
    const edited = await editPost(fixture.context, post.id, { content: 'New' });
    expect(edited).toMatchObject({ post: { content: 'New', status: 'scheduled' }, warnings: [] });
  });

  it('is checked in a draft too, and in an edit', async () => {
    const draft = withOptions({ publishAt: 'now' }, { isDraft: true });
    expect(await refusalsOf(createPost(fixture.context, draft, { rawBody: '' }))).toEqual([
      `${field('publishAt')}: is not supported; leave it out`,
    ]);
    const { post } = await fixture.create({ isDraft: true });
    const platforms = [{ accountId: fixture.youtube.id, platformSpecificData: { colour: 'red' } }];
    const { warnings } = await editPost(fixture.context, post.id, { platforms, scheduledFor: inOneHour });
    expect(warnings).toMatchObject([{ field: field('colour') }]);
  });
});
