import { CopyButton } from '../../components/copy-button.tsx';
import { ExternalLink, Link } from '../../components/link.tsx';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import { words } from '../../words/words.ts';
import { Code, Facts } from '../accounts/facts.tsx';
import classes from './detail.module.css';
import type { AutomationDetail } from './funnel.ts';
import type { LivePost } from './use-automations.ts';

const texts = words.automationsPage.detail.settings;

interface SettingsSectionProps {
  automation: AutomationDetail;
  live: LivePost | undefined;
}

/** What of an automation the preview does not show. */
export function SettingsSection({ automation, live }: SettingsSectionProps) {
  const { id, keywords, matchMode, typoTolerance, trackLinks, dmMessage, platformPostId } = automation;
  const hasKeywords = keywords.length > 0;
  return (
    <Section title={texts.title} isCard>
      <Facts
        facts={[
          [
            texts.keywords,
            hasKeywords ? (
              <ul key="keywords" className={classes.keywords}>
                {keywords.map((keyword) => (
                  <li key={keyword}>
                    <bdi>{keyword}</bdi>
                  </li>
                ))}
              </ul>
            ) : (
              words.automationsPage.everyComment
            ),
          ],
          [texts.mode, hasKeywords && words.automationsPage.matchModes[matchMode].name],
          [texts.typos, hasKeywords && (typoTolerance ? texts.typosOn : texts.typosOff)],
          [texts.tracking, dmMessage !== null && (trackLinks ? texts.trackingOn : texts.trackingOff)],
          [
            words.automationsPage.post,
            live && (
              <span key="post" className={classes.links}>
                <Link to="/posts/$id" params={{ id: live.post.id }}>
                  {words.automationsPage.openPost}
                </Link>
                {live.target.permalink !== null && (
                  <ExternalLink href={live.target.permalink}>{words.automationsPage.atPlatform}</ExternalLink>
                )}
              </span>
            ),
          ],
          [
            texts.postId,
            <Code key="post-id">
              <code>{platformPostId}</code>
              <CopyButton text={platformPostId} label={texts.copyPostId} />
            </Code>,
          ],
          [
            texts.id,
            <Code key="id">
              <code>{id}</code>
              <CopyButton text={id} label={texts.copyId} />
            </Code>,
          ],
          [texts.created, <Time key="created" at={automation.createdAt} />],
          [
            texts.updated,
            automation.updatedAt !== automation.createdAt && <Time key="updated" at={automation.updatedAt} />,
          ],
        ]}
      />
    </Section>
  );
}
