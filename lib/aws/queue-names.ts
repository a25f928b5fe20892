/** The queue of a stage to which a physical name belongs. */
export interface QueueName {
  /** The name that operators use, such as `media-arrived`. */
  readonly name: string;
  readonly isDeadLetters: boolean;
}

/** The runbook's names of queues that differ from their constructs' names. */
const aliases: Readonly<Record<string, string>> = { scheduler: 'schedules' };

const deadLetters = /[-_ ]?dead[-_ ]?letters$/i;

/**
 * Reads the physical name that CloudFormation gives a queue: stack, logical id and random letters, such as
 * `herald-dev-workers-PublishQueue1A2B3C4D-xyz`. CDK's hash at the end of the id may be missing. Pure.
 *
 * @param url the queue's URL or name
 */
export function queueNameOf(url: string): QueueName {
  const physical = url.split('/').at(-1) ?? '';
  const ids = physical.split('-').map((part) => part.replace(/[0-9A-F]{8}$/, ''));
  const id = ids.find((each) => /.(queue|deadletters)$/i.test(each)) ?? physical;
  return { name: canonical(id.replace(/Queue$/, '')), isDeadLetters: deadLetters.test(id) };
}

/** Returns the one form of a queue's name: `MediaArrived`, `media arrived` and `media-arrived` are `media-arrived`. Pure. */
export function canonical(name: string): string {
  const words = name
    .trim()
    .replace(deadLetters, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter(Boolean)
    .join('-');
  return aliases[words] ?? words;
}

/** True if two names mean the same queue, with or without spaces, hyphens and capitals. Pure. */
export const isSameQueue = (one: string, other: string): boolean =>
  canonical(one).replaceAll('-', '') === canonical(other).replaceAll('-', '');
