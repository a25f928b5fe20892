/**
 * How the partition keys of the table begin. `keys.ts` builds the keys. IAM can limit a request to partition keys that
 * begin with a text, so a function's rights name these prefixes. A key begins with exactly one of them.
 */
export const partitions = [
  'WORKSPACE#',
  'DIRECTORY',
  'OWNED#',
  'KEY#',
  'KEY-USE#',
  'AUDIT#',
  'MEMBERS#',
  'PERSON#',
  'INVITED#',
  'SIGN-IN#',
  'SESSION#',
  'CONNECTION#',
  'PLATFORM#',
  'LOGIN#',
  'POST#',
  'CALENDAR#',
  'APP-DAY#',
  'LIVE#',
  'IDEMPOTENCY#',
  'EXTERNAL#',
  'MEDIA#',
  'USES#',
  'RATE#',
  'CHORE#',
  'EVENT#',
  'DELIVERIES#',
  'AUTOMATIONS#',
  'AUTOMATION-POST#',
  'AUTOMATION#',
  'INBOUND#',
  'LINK#',
  'CLICKS#',
  'PUNCTUALITY#',
  'PAUSE#',
  'PAUSES',
  'WITHDRAWAL#',
] as const;

export type Partition = (typeof partitions)[number];
