import type { Account } from '../../accounts/account.ts';
import { Icon } from '../../components/icon.tsx';
import { Section } from '../../components/section.tsx';
import { words } from '../../words/words.ts';
import classes from './account-features.module.css';

/** What the account can do, in words. */
export function AccountFeatures({ capabilities }: Pick<Account, 'capabilities'>) {
  return (
    <Section
      title={words.accountsPage.account.features}
      lead={words.accountsPage.account.featuresLead}
      isCard
    >
      <ul className={classes.features}>
        {capabilities.map((feature) => (
          <li key={feature} className={classes.feature}>
            <span className={classes.icon}>
              <Icon name="check" />
            </span>
            <div>
              <p className={classes.name}>{words.accountsPage.features[feature] ?? feature}</p>
              <p className={classes.text}>{words.accountsPage.featureTexts[feature]}</p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
