import { Link } from '../../../components/link.tsx';
import { Notice } from '../../../components/notice.tsx';
import { words } from '../../../words/words.ts';

const texts = words.automationsPage.form.choosePost;

/** A post has at most one automation, and so has an account for its next post, every post, replies to stories, and messages. */
export const HasAutomation = ({ id, isOfPost = true }: { id: string; isOfPost?: boolean }) => (
  <Notice
    tone="warn"
    title={isOfPost ? texts.hasTitle : texts.hasOtherTitle}
    isLive
    actions={
      <Link to="/automations/$id/edit" params={{ id }}>
        {texts.hasAction}
      </Link>
    }
  >
    {isOfPost ? texts.hasText : texts.hasOtherText}
  </Notice>
);
