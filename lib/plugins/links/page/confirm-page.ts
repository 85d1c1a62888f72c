import { html } from '../../../channels/html.ts';
import { visibleText } from '../../../client/text/visible-text.ts';
import type { LinkAnswer } from '../form-token.ts';
import type { LinkPage } from './document.ts';
import { effectOf } from './effect.ts';
import { factsOf, levelOf } from './evidence.ts';
import { linkTo } from './notice.ts';
import { optionPrefix } from './option-value.ts';
import type { QuestionToShow } from './question-page.ts';
import { callArguments, sentence } from './values.ts';

/** The second page: what the person is about to answer, and the only button that answers. @param here the address of the link */
export function confirmPage(
  shown: QuestionToShow,
  { approved, option: id, reason }: LinkAnswer,
  here: string,
): LinkPage {
  const { question, words, principal, form } = shown;
  const { risk, needsValue } = question;
  const option = question.options?.find((each) => each.id === id);
  const { description, input, runsAs } = option?.input === undefined ? question : { ...question, ...option };
  const ran = option?.input === undefined ? (runsAs ?? input) : (option.runsAs ?? option.input);
  const given =
    reason !== undefined && html`<p>${words.reason}: <q><bdi>${visibleText(reason)}</bdi></q></p>`;
  const approval = risk === 'high' ? words.confirmHighRisk : words.confirmApproval;
  const answer = approved ? 'approve' : 'deny';
  const value = id === undefined ? answer : `${optionPrefix}${id}`;
  const chosen =
    option && html`<p class="chosen"><strong><bdi>${visibleText(option.label)}</bdi></strong></p>`;
  const effect = option?.input === undefined && effectOf(question, words);
  const content = html`${levelOf(shown)}<h1><span>${approved ? words.youApprove : needsValue ? words.youDecline : words.youDeny}</span> ${sentence(description, [input, ran])}</h1>${chosen}${given}${factsOf(shown)}${callArguments(ran, words)}${effect}
<form method="post" accept-charset="utf-8"><input type="hidden" name="step" value="confirm"><input type="hidden" name="form" value="${form}"><input type="hidden" name="answer" value="${value}"><input type="hidden" name="reason" value="${reason ?? ''}">
<div class="actions"><button data-answer="${answer}">${approved ? approval : needsValue ? words.confirmDecline : words.confirmDenial}</button></div></form>
<p class="quiet"><bdi>${words.answeringAs(visibleText(principal.name))}</bdi></p><p>${linkTo(here, words.back)}</p>`;
  return { status: 200, title: words.page, content, risk };
}
