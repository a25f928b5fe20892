import { Icon } from '../../components/icon.tsx';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import { locale, words } from '../../words/words.ts';
import classes from './detail.module.css';
import { type AutomationDetail, stagesOf } from './funnel.ts';

const texts = words.automationsPage.detail.funnel;
const numbers = new Intl.NumberFormat(locale);

/** Matched, replied, messaged, clicked. */
export function FunnelSection({ automation }: { automation: AutomationDetail }) {
  return (
    <Section
      title={texts.title}
      isCard
      actions={
        <span className={classes.minor}>
          {texts.since} <Time at={automation.createdAt} format="date" />
        </span>
      }
    >
      <div className={classes.funnelFrame}>
        <ol className={classes.funnel}>
          {stagesOf(automation).map(({ id, title, text, value, share, note, isUsed }) => (
            <li key={id} className={classes.stage}>
              <p className={classes.stageTitle}>
                {title}
                {id !== 'clicks' && <Icon name="arrow" size={12} />}
              </p>
              <p className={classes.value}>
                {isUsed || value > 0 ? numbers.format(value) : <span className={classes.unused}>–</span>}
              </p>
              <span className={classes.track} aria-hidden="true">
                <span style={{ inlineSize: `${share * 100}%` }} />
              </span>
              <p className={classes.minor}>{isUsed || value > 0 ? text : texts.unused}</p>
              {(isUsed || value > 0) && note && <p className={classes.minor}>{note}</p>}
            </li>
          ))}
        </ol>
      </div>
    </Section>
  );
}
