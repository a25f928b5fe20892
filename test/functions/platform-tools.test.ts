import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { logger } from '../../functions/logger.ts';
import { platformTools } from '../../functions/platform-tools.ts';
import { dayMs, toTimestamp } from '../../lib/kernel/clock.ts';

const parameters = mockClient(SSMClient);
const warned: unknown[] = [];

beforeEach(() => {
  process.env['PLATFORM_PARAMETER_PREFIX'] = '/herald/test/platforms';
  process.env['PLATFORM_BASE_URLS'] = '{}';
  process.env['AWS_REGION'] = 'eu-central-1';
  parameters.reset();
  warned.length = 0;
  vi.spyOn(logger, 'warn').mockImplementation((...[message]) => {
    warned.push(message);
  });
});
afterEach(() => vi.restoreAllMocks());

const put = (more: object) =>
  parameters.on(GetParameterCommand).resolves({
    Parameter: { Value: JSON.stringify({ clientId: 'id', clientSecret: 'secret', ...more }) },
  });
const dayFromNow = (days: number) => toTimestamp(Date.now() + days * dayMs).slice(0, 10);

describe('the end of a platform’s API version', () => {
  it('is logged once for each platform that an instance calls', async () => {
    put({ apiVersion: 'v1', apiVersionSunsetOn: dayFromNow(30) });
    const toolsFor = platformTools();
    await toolsFor('facebook');
    await toolsFor('facebook');
    expect(warned).toEqual([
      expect.stringContaining('facebook serves version v1 of its API for 30 more days'),
    ]);
    await toolsFor('threads');
    expect(warned).toHaveLength(2);
  });

  it.each([
    ['is far off', { apiVersion: 'v1', apiVersionSunsetOn: dayFromNow(62) }],
    ['of a version that was configured is not known', { apiVersion: 'v1' }],
    ['is not announced for the version that Herald was written for', {}],
  ])('is not spoken of where it %s', async (_where, more) => {
    put(more);
    await platformTools()('youtube');
    expect(warned).toEqual([]);
  });
});

describe('what an operator has stored for Instagram’s webhooks', () => {
  it('is handed out beside the credentials', async () => {
    const more = { metaAppSecret: 'meta', webhookVerifyToken: 'token' };
    put(more);
    const { app } = await platformTools()('instagram');
    expect(app).toEqual({ clientId: 'id', clientSecret: 'secret', ...more });
  });

  it('may be missing, but not empty', async () => {
    put({});
    const { app } = await platformTools()('instagram');
    expect(app).toEqual({ clientId: 'id', clientSecret: 'secret' });
    put({ webhookVerifyToken: '' });
    await expect(platformTools()('instagram')).rejects.toMatchObject({ code: 'unavailable' });
  });
});
