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
    brought: { publishAt: { from: 'YouTube' }, audience: { from: 'another client', use: 'privacy' } },
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

  it('with a name close to that of an option is refused with that name', async () => {
    const { problems } = await validatePost(fixture.context, withOptions({ privcay: 'public' }));
    const message = 'is not an option of YouTube; did you mean privacy?';
    expect(problems).toEqual([finding('privcay', 'option_unknown', message)]);
  });

  it.each([
    ['colour', 'red'],
    ['internalRef', { draft: true, publishAt: 'now' }],
    ['shareToFeed', true],
    ['boardId', '1'],
  ])('%s, which means nothing to us or is one of the interface, gets a warning', async (name, value) => {
    const found = await validatePost(fixture.context, withOptions({ [name]: value }));
    const message = 'is not an option of YouTube and is ignored';
    expect(found).toMatchObject({ problems: [], warnings: [finding(name, 'option_unknown', message)] });
  });

  it('is not mentioned if its value is null', async () => {
    const found = await validatePost(fixture.context, withOptions({ publishAt: null, colour: null }));
    expect(found).toMatchObject({ problems: [], warnings: [] });
  });

  it('that was accepted earlier does not keep the rest of a scheduled post from being changed', async () => {
    const accepting = { ...rules, options: { ...rules.options, brought: {} } };
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
    const { platforms = [] } = withOptions({ publishAt: 'now' });
    const sentBack = await editPost(fixture.context, post.id, { platforms });
    expect(sentBack.warnings).toMatchObject([{ field: field('publishAt') }]);
    const changed = editPost(fixture.context, post.id, withOptions({ publishAt: 'later' }));
    expect(await refusalsOf(changed)).toEqual([`${field('publishAt')}: is not supported; leave it out`]);
  });

  it.each([
    ['publishAt', 'is not supported; leave it out'],
    ['privcay', 'is not an option of YouTube; did you mean privacy?'],
  ])('%s is a warning in a draft, until it is scheduled', async (name, message) => {
    const body = withOptions({ [name]: 'public' }, { isDraft: true });
    const draft = await createPost(fixture.context, body, { rawBody: '' });
    const later = { field: field(name), message: `${message}. The draft cannot be scheduled with it` };
    expect(draft.warnings).toMatchObject([later]);
    const scheduled = editPost(fixture.context, draft.post.id, { scheduledFor: inOneHour });
    expect(await refusalsOf(scheduled)).toEqual([`${field(name)}: ${message}`]);
    const { platforms = [] } = withOptions({ colour: 'red' });
    const change = { platforms, scheduledFor: inOneHour };
    const { warnings } = await editPost(fixture.context, draft.post.id, change);
    expect(warnings).toMatchObject([{ field: field('colour') }]);
  });
});
