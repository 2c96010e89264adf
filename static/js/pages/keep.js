// What was typed in a form with data-keep outlives the end of the session. Where somebody sends the
// form too late, the site keeps nothing and leads to the login; its page says so (a message of the
// class "unsent"; data-unsent on the pages of a form that is not trusted and of a trouble of the site),
// and the form it leads back to gets its values again. data-keep is the person, so that nobody else
// who logs in there reads them; data-keep-back is what is said then.

const NAME = "sheepfold.unsent";
const forms = [...document.querySelectorAll("form[data-keep]")];

// [[name, value]] in the form's order; of boxes to tick, whether each is ticked. `seen` comes along:
// what others changed meanwhile is told by it.
const ticks = (one) => one.type === "checkbox" || one.type === "radio";
const typed = (form) => [...form.elements].filter((one) => one.name && one.name !== "csrfmiddlewaretoken" && !["submit", "file"].includes(one.type));
const valuesOf = (form) => typed(form).map((one) => [one.name, ticks(one) ? one.checked : one.value]);

// A browser that was told to keep nothing keeps nothing.
function held() {
  try {
    return JSON.parse(sessionStorage.getItem(NAME));
  } catch {
    return null;
  }
}

function hold(what) {
  try {
    if (what) sessionStorage.setItem(NAME, JSON.stringify(what));
    else sessionStorage.removeItem(NAME);
  } catch {
    /* as above */
  }
}

function putBack(form, values) {
  const fields = typed(form);
  fields.forEach((one, at) => {
    const [name, value] = values[at] || [];
    if (name !== one.name) return; // the form has other fields now
    if (ticks(one)) one.checked = value;
    else one.value = value;
  });
  const said = document.createElement("p");
  said.className = "notice";
  said.setAttribute("role", "status");
  form.prepend(said);
  said.textContent = form.dataset.keepBack;
}

const was = held();
const again = performance.getEntriesByType("navigation")[0]?.type !== "navigate";
const meant = was?.unsent && was.page === location.pathname ? forms[was.form] : null;
if (was && document.querySelector(".messages .unsent, [data-unsent]")) {
  hold({ ...was, unsent: true });
} else if (meant && meant.dataset.keep === was.person && (!was.back || again)) {
  hold({ ...was, back: true }); // for whoever loads the page again, or comes back to it
  putBack(meant, was.values);
} else if (was && (!was.unsent || meant || forms.some((form) => form.dataset.keep !== was.person))) {
  hold(null); // it was done, or somebody else is here now; a wrong password leaves it
}
forms.forEach((form, at) => {
  form.addEventListener("submit", () => {
    hold({ page: location.pathname, form: at, person: form.dataset.keep, values: valuesOf(form) });
  });
});
