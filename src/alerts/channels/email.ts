import { ANSWER_WITHIN_MS, type Channel, NotDelivered } from './channel.ts';

const NO_MAIL = 'The operator has set no mail server (TIGRAPH_SMTP_URL and TIGRAPH_SMTP_FROM); use a webhook';

export const email: Channel = {
  address: 'an e-mail the mailbox',
  fault({ address }, { smtpUrl, smtpFrom }) {
    if (smtpUrl === undefined || smtpFrom === undefined) return NO_MAIL;
    return /^[^\s@<>",;]+@[^\s@<>",;]+\.[^\s@<>",;]+$/.test(address!)
      ? null
      : 'An e-mail needs an address such as me@example.com';
  },
  async send({ address }, { id, subject, data, timestamp }, { notifying: { smtpUrl, smtpFrom } }) {
    if (smtpUrl === undefined || smtpFrom === undefined) throw new NotDelivered(NO_MAIL, 'failed');
    const { createTransport } = await import('nodemailer');
    const server = createTransport(smtpUrl, {
      connectionTimeout: ANSWER_WITHIN_MS,
      greetingTimeout: ANSWER_WITHIN_MS,
      socketTimeout: ANSWER_WITHIN_MS,
    } as object);
    const lines = [data.says, data.sentence, data.link, `As of ${timestamp}.`].filter(Boolean);
    try {
      await server.sendMail({
        from: smtpFrom,
        to: address!,
        subject,
        text: lines.join('\n\n'),
        messageId: `<${id}@tigraph>`,
      });
    } catch (error) {
      throw new NotDelivered(`the mail server refused it: ${(error as Error).message}`);
    } finally {
      server.close();
    }
  },
};
