import type { Vault } from '../../../lib/accounts/vault.ts';
import { secondMs } from '../../../lib/kernel/clock.ts';
import { HeraldError } from '../../../lib/kernel/errors.ts';
import type { MediaContext } from '../../../lib/media/uploads/presign.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import type { PlatformTools } from '../../../lib/platforms/contract/tools.ts';
import { rulesFor } from '../../../lib/platforms/registry/rules.ts';
import type { PostsContext } from '../../../lib/posts/create.ts';
import { actOf } from '../../support/acts.ts';
import { openVault } from '../cloud/dependencies.ts';
import { dailyLimits, mediaBaseUrl } from '../service.ts';
import type { SetupPorts } from './setup.ts';

/** The result of a request: its answer, a refusal, or no reply. */
export type Reply<Answer> =
  | { readonly answer: Answer }
  | { readonly refused: HeraldError }
  | { readonly lost: true };

/** The context of the API's verbs. */
export interface ApiContext extends PostsContext, MediaContext {
  readonly vault: Vault;
  readonly toolsFor: (platform: Platform) => Promise<PlatformTools>;
}

export type Request = <Answer>(
  name: string,
  work: (context: ApiContext) => Promise<Answer>,
) => Promise<Reply<Answer>>;

const apiTimeoutMs = 29 * secondMs;

/** Sends requests of one workspace to the API. Each is served by a process of its own, which can crash. */
export function requestsOf({ world, service, dataKeys }: SetupPorts, workspaceId: string): Request {
  let count = 0;
  return async (name, work) => {
    let reply = { lost: true } as Reply<never>;
    count += 1;
    const environment = {
      name: `api #${count}`,
      skewMs: world.drawSkewMs(),
      release: world.releaseNow(),
      slownessMs: service.apiSlownessMs,
    };
    await world.invoke(environment, { workspaceId, timeoutMs: apiTimeoutMs }, async (process) => {
      const { toolsFor } = service.dependenciesOf() as Pick<ApiContext, 'toolsFor'>;
      const context: ApiContext = {
        table: service.table,
        workspaceId,
        ...actOf('customer'),
        cursorSecret: '',
        now: process.now(),
        mediaBaseUrl,
        rulesFor,
        stageFeatures: {},
        dailyLimits,
        signUpload: async ({ objectKey }) => objectKey,
        clientUploads: { begin: () => Promise.reject(new Error('no file of a run has several parts')) },
        vault: openVault(world, dataKeys, service.table),
        toolsFor,
      };
      try {
        reply = { answer: (await work(context)) as never };
      } catch (error) {
        if (!(error instanceof HeraldError)) throw error;
        reply = { refused: error };
      }
    });
    const outcome = 'lost' in reply ? 'no reply' : 'refused' in reply ? reply.refused.message : undefined;
    world.note('client', `client ${workspaceId}`, name, outcome);
    return reply;
  };
}
