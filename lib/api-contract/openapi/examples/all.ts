import { examples as accounts } from './accounts.ts';
import { examples as automations } from './automations.ts';
import { examples as media } from './media.ts';
import { examples as metrics } from './metrics.ts';
import { examples as posts } from './posts.ts';
import { examples as tags } from './tags.ts';
import { examples as webhooks } from './webhooks.ts';
import { examples as workspace } from './workspace.ts';

/** Examples of one operation: plain JSON, as a client sends it and as the service replies. */
export interface OperationExamples {
  /** The request that Swagger UI's *Try it out* sends. */
  readonly request?: unknown;
  /** Further requests, by a short title. */
  readonly otherRequests?: Readonly<Record<string, unknown>>;
  /** The responses by status. An error's response may be left out: the document then makes an example from its description. */
  readonly responses: Readonly<Record<number, unknown>>;
  /** The responses to further requests, by status and the request's title. */
  readonly otherResponses?: Readonly<Record<number, Readonly<Record<string, unknown>>>>;
}

/** Examples by operation id. Only the build of the document imports them. A test parses each one with its operation's schemas. */
export const operationExamples: Readonly<Record<string, OperationExamples>> = {
  ...workspace,
  ...accounts,
  ...media,
  ...posts,
  ...metrics,
  ...tags,
  ...webhooks,
  ...automations,
};
