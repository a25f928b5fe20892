import { PlatformError } from '../contract/errors.ts';
import { MessageRefused, type RefusedFor } from '../contract/messaging.ts';
import { rejected, unknown } from '../shared/error-table.ts';
import type { GraphPlatform } from '../shared/meta/graph.ts';
import { instagram } from './errors.ts';

/** The error table for replies and messages: Instagram's common errors and "Messaging Error Codes". */
export const instagramMessaging: GraphPlatform = {
  name: instagram.name,
  bySubcode: {
    ...instagram.bySubcode,
    2534022: rejected,
    2018278: rejected,
    2018108: rejected,
    2534025: rejected,
    2534014: rejected,
    2534001: rejected,
    2534013: rejected,
    2534029: rejected,
    1545041: rejected,
    2018300: { remedy: 'rejected', advice: 'Another app controls this conversation.' },
    2018028: { remedy: 'rejected', advice: 'The app has no Advanced Access for this person.' },
    // Temporary errors, after which the message may have been delivered nevertheless.
    1893063: unknown,
    1545133: unknown,
  },
  byCode: (code) => (code === 551 || code === 230 ? rejected : instagram.byCode(code)),
};

const refusedFor: Readonly<Record<string, RefusedFor>> = {
  '10/2534022': 'window',
  '10/2018278': 'window',
  '10/2018108': 'window',
  '100/2534025': 'comment',
};

/** Turns refusals that automations handle into `MessageRefused`. @param hasButtons true if the call sent buttons */
export function messageError(error: unknown, hasButtons: boolean): unknown {
  if (!(error instanceof PlatformError) || error.remedy !== 'rejected') return error;
  const { platformCode = '' } = error;
  const known = refusedFor[platformCode];
  if (known !== undefined) return new MessageRefused(known, error);
  // Instagram refuses a button template with code 100 and no subcode that has another meaning.
  const [code, subcode = ''] = platformCode.split('/');
  const hasOtherMeaning = subcode in instagramMessaging.bySubcode || subcode === missingSubcode;
  return hasButtons && code === '100' && !hasOtherMeaning ? new MessageRefused('buttons', error) : error;
}

/** The subcode of "Object does not exist". */
const missingSubcode = '33';

/** Turns the error for a missing comment into `MessageRefused`; returns other errors unchanged. */
export function commentError(error: unknown): unknown {
  return isMissingObject(error) ? new MessageRefused('comment', error) : error;
}

export function isMissingObject(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.platformCode === `100/${missingSubcode}`;
}
