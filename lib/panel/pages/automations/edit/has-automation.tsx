import { Link } from '../../../components/link.tsx';
import { Notice } from '../../../components/notice.tsx';
import { words } from '../../../words/words.ts';
import type { AppliesTo } from './draft.ts';

const texts = words.automationsPage.form.choosePost;

interface HasAutomationProps {
  id: string;
  appliesTo?: AppliesTo;
}

/** A post has at most one automation, and an account one for its next post and one for every post. */
export const HasAutomation = ({ id, appliesTo = 'post' }: HasAutomationProps) => (
  <Notice
    tone="warn"
    title={texts.existing[appliesTo].title}
    isLive
    actions={
      <Link to="/automations/$id/edit" params={{ id }}>
        {texts.hasAction}
      </Link>
    }
  >
    {texts.existing[appliesTo].text}
  </Notice>
);
