import type { Special } from './control.ts';
import { FileIndexControl } from './file-index.tsx';
import { FirstCommentControl } from './first-comment.tsx';
import {
  AiDisclosuresControl,
  BoardControl,
  BoardSectionControl,
  CarouselTextsControl,
} from './pinterest.tsx';
import { LinkedinPollControl, ThreadsPollControl } from './polls.tsx';
import type { ControlProps } from './props.ts';
import { SpoilersControl } from './spoilers.tsx';
import { InteractionControl, PrivacyLevelControl } from './tiktok.tsx';
import { UserTagsControl } from './user-tags.tsx';
import { MadeForKidsControl, PlaylistControl } from './youtube.tsx';

const specials = {
  aiDisclosures: AiDisclosuresControl,
  board: BoardControl,
  boardSection: BoardSectionControl,
  carouselTexts: CarouselTextsControl,
  fileIndex: FileIndexControl,
  firstComment: FirstCommentControl,
  interaction: InteractionControl,
  linkedinPoll: LinkedinPollControl,
  madeForKids: MadeForKidsControl,
  playlist: PlaylistControl,
  privacyLevel: PrivacyLevelControl,
  spoilers: SpoilersControl,
  threadsPoll: ThreadsPollControl,
  userTags: UserTagsControl,
};

/** A control that only one option has. */
export function SpecialControl(props: ControlProps<Special>) {
  const Control = specials[props.control.control];
  return <Control {...props} />;
}
