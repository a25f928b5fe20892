import { shapeOf } from '../../media/renditions/adapt.ts';
import { toRequestedItem } from '../../media/urls.ts';
import type { Target } from '../../targets/schemas.ts';
import type { StoredChainStep } from '../stored/chain-schemas.ts';
import { stepOptions } from '../stored/json-fields.ts';
import { optionsOf } from '../view/to-view.ts';
import type { ChainStep, PlatformEntry } from './schemas.ts';

/**
 * Converts a target to the form of the request, without its time.
 *
 * @param mediaBaseUrl the media host, without a final slash
 */
export function toEntry(target: Target, mediaBaseUrl: string): PlatformEntry {
  return {
    accountId: target.accountId,
    platformSpecificData: optionsOf(target, (item) => toRequestedItem(mediaBaseUrl, item)),
    ...(target.content !== undefined && { customContent: target.content }),
    ...(target.mediaItems && {
      customMedia: target.mediaItems.map((item) => toRequestedItem(mediaBaseUrl, item)),
    }),
    ...shapeOf(target),
  };
}

/** Converts a stored step back to the form of the request. */
export function toChainStep(step: StoredChainStep, mediaBaseUrl: string): ChainStep {
  const { kind, accountIds, afterMinutes, content, mediaItems } = step;
  return {
    kind,
    accountIds,
    afterMinutes,
    options: stepOptions(step),
    ...(content !== undefined && { content }),
    ...(mediaItems && { mediaItems: mediaItems.map((item) => toRequestedItem(mediaBaseUrl, item)) }),
  };
}
