/** Shows alerts that a push service brings, and opens the page of one that is clicked. It answers no request of a page. */

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => {
  const { id, title, body, path, at } = event.data.json();
  // One that comes again replaces itself.
  const options = { tag: id, body, timestamp: Date.parse(at), data: path };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

async function open(path) {
  const [page] = await self.clients.matchAll({ type: 'window' });
  if (page === undefined) return self.clients.openWindow(path);
  await page.focus();
  return page.navigate(path);
}
