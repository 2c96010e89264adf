"""Addresses of the JSON API."""

from django.urls import path

from annotation.api import assignments, items, projects, schema

urlpatterns = [
    path("projects/", projects.ProjectsView.as_view(), name="api_projects"),
    path("projects/<slug:slug>/", projects.ProjectView.as_view(), name="api_project"),
    path("projects/<slug:slug>/progress/", projects.ProgressView.as_view(), name="api_progress"),
    path("projects/<slug:slug>/claim/", assignments.ClaimView.as_view(), name="api_claim"),
    path("assignments/<id:pk>/", assignments.AssignmentView.as_view(), name="api_assignment"),
    path("assignments/<id:pk>/report/", assignments.ReportView.as_view(), name="api_report"),
    path("projects/<slug:slug>/items/", items.ItemsView.as_view(), name="api_items"),
    path("projects/<slug:slug>/export/", items.ExportView.as_view(), name="api_export"),
    path("schema/", schema.SchemaView.as_view(), name="api_schema"),
]
