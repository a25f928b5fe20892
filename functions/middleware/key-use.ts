import type middy from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Table } from '../../lib/table/table.ts';
import { KeyUses } from '../../lib/workspaces/key-use.ts';
import { logger } from '../wire/logger.ts';
import type { Reply } from './reply.ts';

/** An event whose use of an API key or a session is being recorded. */
export interface UsingEvent extends APIGatewayProxyEventV2 {
  use?: Promise<void>;
}

/** The longest that a response waits for the record, if the record takes longer than the request itself. */
const longestWaitMs = 100;

/**
 * Records the days on which API keys are used, without failing a request. The write runs in parallel with the request. The
 * response waits for it, because Lambda may freeze the function once it has responded, but only briefly: then the write continues
 * with the next request, or is lost. Another function, or the next day, makes up for a lost write.
 */
export class KeyUseRecorder {
  readonly #uses: KeyUses;

  constructor(table: Table) {
    this.#uses = new KeyUses(table);
  }

  /** @param now epoch milliseconds */
  begin(event: UsingEvent, keyId: string, now: number): void {
    const recorded = this.#uses.record(keyId, now);
    if (recorded) event.use = recorded.catch(reportLost);
  }
}

const reportLost = (error: unknown): void =>
  logger.warn('the use of the API key was not recorded', error as Error);

/** Lets the response wait for the record of the use of its key or session. */
export function awaitUse(): middy.MiddlewareObj<UsingEvent, Reply> {
  const wait = async ({ event: { use } }: middy.Request<UsingEvent, Reply>): Promise<void> => {
    if (use === undefined) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, longestWaitMs);
    });
    await Promise.race([use, late]);
    clearTimeout(timer);
  };
  return { after: wait, onError: wait };
}
