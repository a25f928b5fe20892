import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { requireOperatorEmail } from './operator-topic.ts';

/**
 * The shares of the budget, in percent, at which operators are warned: when they are spent, or when AWS expects them to be spent.
 */
const warnings = [
  { notificationType: 'ACTUAL', threshold: 50 },
  { notificationType: 'ACTUAL', threshold: 100 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const;

/**
 * Creates the stage's budget, if it has one. It covers the whole account: a budget by tag would see nothing until somebody
 * activates the tag for billing. AWS computes spend a few times a day, so a flood is noticed hours later. The e-mails go to the
 * operator directly, and need no confirmation.
 *
 * @throws Error that names the field if the stage has a budget and no operator
 */
export function warnOfSpend(scope: Construct, stage: Stage): void {
  const { monthlyBudgetDollars, hasAlarms } = stage;
  if (!hasAlarms || monthlyBudgetDollars === undefined) return;
  const address = requireOperatorEmail(stage);
  new CfnBudget(scope, 'Budget', {
    budget: {
      // The budget has no name: CloudFormation replaces a budget whose notifications change, and two budgets cannot have the same
      // name.
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudgetDollars, unit: 'USD' },
    },
    notificationsWithSubscribers: warnings.map((warning) => ({
      notification: { ...warning, thresholdType: 'PERCENTAGE', comparisonOperator: 'GREATER_THAN' },
      subscribers: [{ subscriptionType: 'EMAIL', address }],
    })),
  });
}
