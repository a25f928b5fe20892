import { handOver } from '../../../media/uploads.ts';
import type { Draft } from '../draft/draft.ts';

/** What is still on its way to a draft arrives in the post that the draft has become. */
export function handOverUploads(draft: Draft, saved: Draft): void {
  const renamed = [
    ...draft.chain.map(({ key }, place) => [`step-${key}-`, `step-${saved.chain[place]?.key}-`] as const),
    ['', ''] as const,
  ].map(([from, to]) => [`${draft.id}/${from}`, `${saved.id}/${to}`] as const);
  handOver((owner) => {
    const [from, to] = renamed.find(([from]) => owner.startsWith(from)) ?? ['', ''];
    return `${to}${owner.slice(from.length)}`;
  });
}
